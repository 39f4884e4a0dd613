// What the house committed to, noted while bets are still open, so that a proof can be held against it later.
// Kept in this browser alone.
import { remember, remembered } from './remembered.js';
/** @import { TableUpdate } from './types.js' */

const KEY = 'houseway-noted';
/** So many rounds are remembered. */
const MOST = 500;

/** @returns {[string, string][]} by table and round, the oldest first */
const all = () => remembered(KEY);

/** @param {number | string} table @param {number | string} round */
const name = (table, round) => `${table}/${round}`;

/** Notes what is published, the first time that it is seen before the cards are dealt. @param {TableUpdate} update */
export function note({ table, view, commitment }) {
  if (!commitment || view.phase.name !== 'betting' && view.phase.name !== 'closed') return;
  const kept = all();
  const key = name(table, view.round);
  if (kept.some(([there]) => there === key)) return;
  remember(KEY, [...kept, [key, commitment]].slice(-MOST));
}

/** What was noted of a round. @param {string} table @param {string} round @returns {string | null} */
export function noted(table, round) {
  return all().find(([key]) => key === name(table, round))?.[1] ?? null;
}
