// How well someone does at the trainer, kept in this browser alone.
import { signal } from '@preact/signals';

/** @typedef {'set' | 'clause' | 'best' | 'houses'} Kind */
/** @typedef {{ asked: number, wrong: number }} Tally */
/** @typedef {Tally & { id: string, about: string, place: number }} Spot */
/** @typedef {{ now: number, longest: number, asked: number, right: number }} Run */
/**
 * @typedef {object} Progress
 * @property {Partial<Record<Kind, Run>>} runs by kind of question
 * @property {Record<string, Record<string, Spot>>} spots rows of the sheet, by house
 * @property {Record<string, Record<string, Tally>>} shapes what hands contain, by house
 */

const KEY = 'houseway-trainer';

/** @returns {Progress} */
const fresh = () => ({ runs: {}, spots: {}, shapes: {} });

/** @returns {Progress} */
function kept() {
  try {
    return { ...fresh(), ...JSON.parse(localStorage.getItem(KEY) ?? '{}') };
  } catch {
    return fresh();
  }
}

/** What was answered so far. */
export const progress = signal(kept());

/** @param {Progress} next */
function keep(next) {
  progress.value = next;
  localStorage.setItem(KEY, JSON.stringify(next));
}

/** Forgets everything. */
export const forget = () => keep(fresh());

/** @param {Tally | undefined} tally @param {boolean} right */
const added = (tally, right) => ({ asked: (tally?.asked ?? 0) + 1, wrong: (tally?.wrong ?? 0) + (right ? 0 : 1) });

/**
 * Keeps an answer.
 * @param {{ rules: string, kind: Kind, shape: string, row: { id: string, about: string, place: number } }} drill
 * @param {boolean} right
 */
export function answered({ rules, kind, shape, row }, right) {
  const { runs, spots, shapes } = progress.value;
  const run = runs[kind] ?? { now: 0, longest: 0, asked: 0, right: 0 };
  const now = right ? run.now + 1 : 0;
  const longest = Math.max(run.longest, now);
  const { id, about, place } = row;
  const name = `${id} ${about}`;
  const [own, ownShapes] = [spots[rules] ?? {}, shapes[rules] ?? {}];
  keep({
    runs: { ...runs, [kind]: { now, longest, asked: run.asked + 1, right: run.right + (right ? 1 : 0) } },
    spots: { ...spots, [rules]: { ...own, [name]: { id, about, place, ...added(own[name], right) } } },
    shapes: { ...shapes, [rules]: { ...ownShapes, [shape]: added(ownShapes[shape], right) } },
  });
}

/**
 * What was missed most, the worst share first.
 * @template {Tally} T
 * @param {Record<string, T> | undefined} tallies
 * @returns {[string, T][]}
 */
export function worst(tallies) {
  const missed = Object.entries(tallies ?? {}).filter(([, it]) => it.wrong > 0);
  return missed.sort(([, a], [, b]) => b.wrong / b.asked - a.wrong / a.asked || b.wrong - a.wrong);
}
