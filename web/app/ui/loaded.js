// What a page has asked the house for, and how that stands.
import { useEffect, useState } from 'preact/hooks';
import { html } from '../html.js';
import { Refused, Unreachable } from '../api.js';
import { words } from '../words/en.js';

/** @import { Answered } from '../types.js' */

/** What went wrong, in a sentence. @param {unknown} error */
export function saying(error) {
  if (error instanceof Refused) return refusal(error.fault);
  if (error instanceof Unreachable) return words.common.unreachable;
  return error instanceof Error ? sentence(error.message) : words.common.unreachable;
}

/**
 * A refusal with the clause behind it, where one is.
 * @param {Pick<Extract<Answered, { answer: 'refused' }>, 'says' | 'clause'>} refused
 */
export const refusal = ({ says, clause }) => (clause ? `${sentence(says)} (${words.common.clause(clause)})` : sentence(says));

/** The house says things in passing; here they stand alone. @param {string} text */
export const sentence = text => `${text.slice(0, 1).toUpperCase()}${text.slice(1)}${/[.!?…]$/.test(text) ? '' : '.'}`;

/**
 * Asks for something whenever the inputs change. What was there stays until something else is.
 * @template T
 * @param {() => Promise<T>} load
 * @param {unknown[]} inputs
 * @returns {{ value: T | null, error: unknown, again: () => void }}
 */
export function useLoaded(load, inputs) {
  const [{ value, error }, set] = useState(/** @type {{ value: T | null, error: unknown }} */ ({ value: null, error: null }));
  const [times, setTimes] = useState(0);
  useEffect(() => {
    let gone = false;
    load().then(
      found => gone || set({ value: found, error: null }),
      wrong => gone || set({ value: null, error: wrong }),
    );
    return () => {
      gone = true;
    };
  }, [...inputs, times]);
  return { value, error, again: () => setTimes(times + 1) };
}

/** That something is on its way, or why it does not come. @param {{ error: unknown }} props */
export function Waiting({ error }) {
  return error
    ? html`<p class="wrong" role="alert">${saying(error)}</p>`
    : html`<p class="quiet" role="status">${words.common.loading}</p>`;
}
