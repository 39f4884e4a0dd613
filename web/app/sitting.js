// This sitting: what one gained since one first sat down, and when that was. It is kept for as long as the tab is open.
import { signal } from '@preact/signals';

/** @typedef {{ person: number, since: number, gains: Record<string, number> }} Sitting `gains` by table and round */

const KEY = 'houseway-sitting';

/** @returns {Sitting | null} */
function kept() {
  try {
    return JSON.parse(sessionStorage.getItem(KEY) ?? 'null');
  } catch {
    return null;
  }
}

const sitting = signal(kept());

/** @param {Sitting} next */
function keep(next) {
  sitting.value = next;
  sessionStorage.setItem(KEY, JSON.stringify(next));
}

/** Someone sits down. Whoever sat here before has had their sitting. @param {number} person */
export function begin(person) {
  if (sitting.value?.person !== person) keep({ person, since: Date.now(), gains: {} });
}

/** What a round came to, however often it is told. @param {number} person @param {string} round @param {number} gained */
export function note(person, round, gained) {
  begin(person);
  const now = sitting.value;
  if (now && now.gains[round] !== gained) keep({ ...now, gains: { ...now.gains, [round]: gained } });
}

/** How someone's sitting stands, in cents and milliseconds. @param {number | undefined} person */
export function standing(person) {
  const now = sitting.value;
  if (!now || now.person !== person) return null;
  return { gained: Object.values(now.gains).reduce((sum, it) => sum + it, 0), lasted: Date.now() - now.since };
}
