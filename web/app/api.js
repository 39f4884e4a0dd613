// The house's API. Every answer has the form that `types.d.ts` says, which is made from the house's own
// description of it.

/** @import { Advice, Come, Drill, DrillKind, Fault, InWords, Me, Odds } from './types.js' */
/** @import { Opened, Partings, Rules, RulesInfo, SetHand, Sheet, TableInfo, Wish } from './types.js' */

/** Something that the house does not do, and why. */
export class Refused extends Error {
  /** @param {number} status @param {Fault} fault */
  constructor(status, fault) {
    super(fault.says);
    this.status = status;
    this.fault = fault;
  }
}

/** The house could not be reached. */
export class Unreachable extends Error {}

/**
 * Makes a request.
 * @param {'GET' | 'POST'} method
 * @param {string} path
 * @param {unknown} [body]
 * @returns {Promise<any>}
 */
export async function ask(method, path, body) {
  /** @type {RequestInit} */
  const request = { method, headers: { Accept: 'application/json' } };
  if (body !== undefined) {
    request.body = JSON.stringify(body);
    request.headers = { ...request.headers, 'Content-Type': 'application/json' };
  }
  let answer;
  try {
    answer = await fetch(path, request);
  } catch (error) {
    throw new Unreachable(String(error));
  }
  const said = await answer.json().catch(() => ({}));
  if (!answer.ok) {
    throw new Refused(answer.status, said.error ?? { code: 'unreadable', says: answer.statusText });
  }
  return said;
}

/** @param {string} path */
const get = path => ask('GET', path);
/** @param {string} path @param {unknown} [body] */
const post = (path, body) => ask('POST', path, body);

/** @returns {Promise<Come>} */
export const guest = () => post('/api/guest');
/** @param {string} name @param {string} password @returns {Promise<Come>} */
export const register = (name, password) => post('/api/register', { name, password });
/** @param {string} name @param {string} password @returns {Promise<Come>} */
export const login = (name, password) => post('/api/login', { name, password });
export const logout = () => post('/api/logout');
/** @returns {Promise<Me>} */
export const me = () => get('/api/me');
/** @returns {Promise<{ given: number }>} */
export const cashier = () => post('/api/cashier');

/** @returns {Promise<TableInfo[]>} */
export const tables = () => get('/api/tables');
/** @param {number} id @returns {Promise<TableInfo>} */
export const table = id => get(`/api/tables/${id}`);
/** @param {Wish} wish @returns {Promise<Opened>} */
export const openTable = wish => post('/api/tables', wish);

/** @returns {Promise<RulesInfo[]>} */
export const rulebooks = () => get('/api/rules');
/** @param {string} id @returns {Promise<Rules>} */
export const rulebook = id => get(`/api/rules/${encodeURIComponent(id)}`);
/** @param {string} rules @param {string[]} cards @returns {Promise<SetHand>} */
export const setHand = (rules, cards) => post('/api/set', { rules, cards });
/** @param {string} rules @param {string[]} cards @returns {Promise<Advice>} */
export const advise = (rules, cards) => post('/api/advise', { rules, cards });
/** @param {string} id @returns {Promise<Odds>} */
export const odds = id => get(`/api/odds/${encodeURIComponent(id)}`);
/** @param {number} id @param {{ low: string[], high: string[] }[]} hands @returns {Promise<InWords[]>} */
export const nameHands = (id, hands) => post(`/api/tables/${id}/hands`, { hands });
/** @param {string} id @returns {Promise<Sheet>} */
export const houseWay = id => get(`/api/rules/${encodeURIComponent(id)}/house-way`);
/** @param {string} rules @param {string} other @returns {Promise<Partings>} */
export const partings = (rules, other) => get(`/api/partings?${new URLSearchParams({ rules, other })}`);
/**
 * @param {{ rules: string, kind: DrillKind, seed: number, row?: number | undefined, other?: string | undefined }} wanted
 * @returns {Promise<Drill>}
 */
export const drill = wanted => {
  const said = Object.entries(wanted).filter(([, value]) => value !== undefined);
  return get(`/api/drill?${new URLSearchParams(said.map(([name, value]) => [name, String(value)]))}`);
};
