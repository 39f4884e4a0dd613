// What people choose about how the table looks and sounds. Runs before anything is drawn, so that nothing
// is drawn in the wrong colours first.
import { effect, signal } from '@preact/signals';

/**
 * A choice that is kept in this browser.
 * @template {string} T
 * @param {string} name
 * @param {readonly T[]} values the first is what holds until something is chosen
 */
function kept(name, values) {
  const key = `houseway-${name}`;
  const found = values.find(value => value === localStorage.getItem(key));
  const choice = signal(/** @type {T} */ (found ?? values[0]));
  effect(() => localStorage.setItem(key, choice.value));
  return choice;
}

/** Colours: as the system has them, or one's own. */
export const theme = kept('theme', /** @type {const} */ (['system', 'light', 'dark']));

/** Sounds, off at first. */
export const sound = kept('sound', /** @type {const} */ (['off', 'on']));

/** Whether the coach says what a setting was worth. */
export const coach = kept('coach', /** @type {const} */ (['on', 'off']));

/** In which order one's own cards lie while a hand is set. */
export const order = kept('order', /** @type {const} */ (['rank', 'suit']));

effect(() => {
  document.documentElement.dataset.theme = theme.value;
});

/** Whether things may move. */
export const mayMove = () => !matchMedia('(prefers-reduced-motion: reduce)').matches;
