// What is asked of the house by a page, and what came of it.
import { useEffect, useState } from 'preact/hooks';
import { rulebooks } from '../api.js';
import { saying } from './loaded.js';
import { complain } from './toast.js';

/**
 * The answer to a question, asked anew whenever its key changes; nothing until it is there. An answer to an
 * older question is dropped.
 * @template T
 * @param {string | null} key nothing is asked without one
 * @param {() => Promise<T>} ask
 * @returns {T | null}
 */
export function useAsked(key, ask) {
  const [got, set] = useState(/** @type {{ key: string, answer: T } | null} */ (null));
  useEffect(() => {
    if (key === null) return undefined;
    let gone = false;
    ask().then(
      answer => gone || set({ key, answer }),
      error => gone || complain(saying(error)),
    );
    return () => {
      gone = true;
    };
  }, [key]);
  return got !== null && got.key === key ? got.answer : null;
}

/** The houses, each in a line; nothing until they are there. */
export const useHouses = () => useAsked('houses', rulebooks);
