// The house's API. Every answer has the form that `types.d.ts` says, which is made from the house's own
// description of it.
import { words } from './words/en.js';

/** @import { Advice, Card, Come, Drill, DrillKind, Fault, InWords, Me, Odds } from './types.js' */
/** @import { OpenedTable, Partings, Rules, RulesInfo, SetHand, Sheet, TableInfo, TableView, Wish } from './types.js' */
/** @import { Books, Done, HeadOf, Kind, Liability, Limits, LogEntry, Made, Page, Ready, Recall } from './types.js' */
/** @import { Proposed, Report, ReportBy, Someone } from './types.js' */

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
 * Makes a request. What comes back was not refused.
 * @param {'GET' | 'POST'} method
 * @param {string} path
 * @param {unknown} [body]
 */
async function send(method, path, body) {
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
  if (!answer.ok) {
    const said = await answer.json().catch(() => ({}));
    throw new Refused(answer.status, said.error ?? { code: 'unreadable', says: answer.statusText });
  }
  return answer;
}

/**
 * Asks for something that is answered with JSON.
 * @param {'GET' | 'POST'} method
 * @param {string} path
 * @param {unknown} [body]
 * @returns {Promise<any>}
 */
export async function ask(method, path, body) {
  const answer = await send(method, path, body);
  return answer.json().catch(() => ({}));
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
/** @param {string} old @param {string} fresh @returns {Promise<Come>} */
export const changePassword = (old, fresh) => post('/api/password', { old, new: fresh });
/** @returns {Promise<Ready>} */
export const ready = () => get('/readyz');
/** @returns {Promise<Me>} */
export const me = () => get('/api/me');
/** @returns {Promise<{ given: number }>} */
export const cashier = () => post('/api/cashier');
/** @returns {Promise<Limits>} */
export const limits = () => get('/api/limits');
/** @param {Kind} kind @param {number | null} most @returns {Promise<Limits>} */
export const setLimit = (kind, most) => post('/api/limits', { kind, most });

/**
 * What is asked behind a path; what is empty is left out.
 * @param {Record<string, string | number | boolean | null | undefined>} asked
 */
function query(asked) {
  const given = Object.entries(asked).filter(([, value]) => value !== undefined && value !== null && value !== '');
  const text = new URLSearchParams(given.map(([name, value]) => [name, String(value)])).toString();
  return text && `?${text}`;
}

/**
 * Which rounds.
 * @typedef {{ table?: string, rules?: string, status?: string, from?: number | null, until?: number | null, before?: string,
 *   most?: number }} Wanted
 */
/** The rounds one took part in. @param {Wanted} wanted @returns {Promise<Page>} */
export const history = wanted => get(`/api/history${query(wanted)}`);
/** Everyone's rounds. @param {Wanted} wanted @returns {Promise<Page>} */
export const rounds = wanted => get(`/api/rounds${query(wanted)}`);
/** @param {string} table @param {string} round */
const roundPath = (table, round) => `/api/tables/${encodeURIComponent(table)}/rounds/${encodeURIComponent(round)}`;
/**
 * How someone looks at what not everyone is shown, and why: as an auditor, who sees every card, or at conceded hands.
 * @typedef {{ how: 'auditor' | 'conceded', why: string }} Look
 */
/** @param {Look | null} look */
const as = look => query(look ? { [look.how]: true, why: look.why } : {});
/** @param {string} table @param {string} round @param {Look | null} look @returns {Promise<Recall>} */
export const recall = (table, round, look) => get(`${roundPath(table, round)}${as(look)}`);
/** Where the proof of a round is. @param {string} table @param {string} round @param {Look | null} look */
export const proofPath = (table, round, look) => `${roundPath(table, round)}/proof${as(look)}`;
/**
 * The proof as it is written, for it is checked to the letter.
 * @param {string} table @param {string} round @param {Look | null} look
 */
export const proof = async (table, round, look) => (await send('GET', proofPath(table, round, look))).text();

/** @param {ReportBy} by @param {number | null} from @param {number | null} until @returns {Promise<Report>} */
export const report = (by, from, until) => get(`/api/report${query({ by, from, until })}`);
/** @returns {Promise<Liability>} */
export const liability = () => get('/api/liability');
/** @param {string} stream @param {number} after @param {number} most @returns {Promise<LogEntry[]>} */
export const log = (stream, after, most) => get(`/api/log${query({ stream, after, most })}`);
/** @returns {Promise<HeadOf[]>} */
export const heads = () => get('/api/heads');
/** @returns {Promise<Books>} */
export const books = () => get('/api/books');
/** @param {number} after @returns {Promise<Someone[]>} */
export const people = after => get(`/api/people${query({ after })}`);
/** @returns {Promise<Proposed[]>} */
export const proposals = () => get('/api/proposals');
/**
 * @param {number} person @param {string} standing @param {string} why
 * @param {number} [proposal] which is agreed to, and nothing else
 * @returns {Promise<Made>}
 */
export const setStanding = (person, standing, why, proposal) =>
  post(`/api/people/${person}/standing`, { standing, why, 'agrees-to': proposal });
/**
 * @param {number} person @param {'decline' | 'disable' | 'enable' | 'end-sessions'} what @param {string} why
 * @returns {Promise<Done>}
 */
export const change = (person, what, why) => post(`/api/people/${person}/${what}`, { why });

/** @returns {Promise<TableInfo[]>} */
export const tables = () => get('/api/tables');
/** @param {number} id @returns {Promise<TableInfo>} */
export const table = id => get(`/api/tables/${id}`);
/** @param {number} id @returns {Promise<{ view: TableView }>} */
export const view = id => get(`/api/tables/${id}/view`);
/** @param {Wish} wish @returns {Promise<OpenedTable>} */
export const openTable = wish => post('/api/tables', wish);

/** A house goes by its short name, wherever it is told. @template {RulesInfo} T @param {T} house @returns {T} */
const named = house => ({ ...house, name: words.lobby.houses[house.id]?.name ?? house.name });

/** @returns {Promise<RulesInfo[]>} */
export const rulebooks = async () => (await get('/api/rules')).map(named);
/** @param {string} id @returns {Promise<Rules>} */
export const rulebook = async id => named(await get(`/api/rules/${encodeURIComponent(id)}`));
/** @param {string} rules @param {Card[]} cards @returns {Promise<SetHand>} */
export const setHand = (rules, cards) => post('/api/set', { rules, cards });
/** @param {string} rules @param {Card[]} cards @returns {Promise<Advice>} */
export const advise = (rules, cards) => post('/api/advise', { rules, cards });
/** @param {string} id @returns {Promise<Odds>} */
export const odds = id => get(`/api/odds/${encodeURIComponent(id)}`);
/** @param {number} id @param {{ low: Card[], high: Card[] }[]} hands @returns {Promise<InWords[]>} */
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
