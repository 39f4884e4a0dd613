// What is said in passing. It goes by itself, a complaint later than the rest.
import { signal } from '@preact/signals';
import { html } from '../html.js';
import { words } from '../words/en.js';

/** @typedef {{ id: number, text: string, kind: 'says' | 'wrong' }} Toast */

const toasts = signal(/** @type {Toast[]} */ ([]));
let last = 0;

const STAYS = 5_000;

/** @param {number} id */
function drop(id) {
  toasts.value = toasts.value.filter(toast => toast.id !== id);
}

/** @param {string} text @param {Toast['kind']} kind */
function add(text, kind) {
  last += 1;
  const id = last;
  toasts.value = [...toasts.value.filter(toast => toast.text !== text), { id, text, kind }].slice(-3);
  setTimeout(() => drop(id), kind === 'wrong' ? 2 * STAYS : STAYS);
}

/** Says something. @param {string} text */
export const tell = text => add(text, 'says');

/** Says that something went wrong. @param {string} text */
export const complain = text => add(text, 'wrong');

export function Toasts() {
  return html`<div class="toasts" role="status" aria-live="polite">
    ${toasts.value.map(toast => html`<p class=${`toast ${toast.kind}`} key=${toast.id}>
      <span>${toast.text}</span>
      <button type="button" class="plain" aria-label=${words.common.close} onClick=${() => drop(toast.id)}>×</button>
    </p>`)}
  </div>`;
}
