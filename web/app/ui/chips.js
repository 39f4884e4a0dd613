// A stack of chips with its amount. The chips are drawn from the amount; what counts is the figure.
import { html } from '../html.js';
import { money } from '../format.js';

/** Chips in cents, with their colours' names. */
const CHIPS = /** @type {const} */ ([[50_000, 'purple'], [10_000, 'black'], [2_500, 'green'], [500, 'red'], [100, 'white']]);

/** How many chips a stack shows at most. */
const SHOWN = 6;

/** @param {{ amount: number, label?: string }} props */
export function Chips({ amount, label }) {
  /** @type {string[]} */
  const stack = [];
  let rest = amount;
  for (const [worth, name] of CHIPS) {
    while (rest >= worth && stack.length < SHOWN) {
      stack.push(name);
      rest -= worth;
    }
  }
  if (stack.length === 0) stack.push('white');
  return html`<span class="chips" title=${label}>
    <svg viewBox=${`0 0 30 ${17 + stack.length * 4}`} aria-hidden="true">
      ${stack.map((name, at) => {
        const y = 9 + (stack.length - 1 - at) * 4;
        return html`<g class=${`chip ${name}`} key=${at}>
          <path class="chip-side" d=${`M2 ${y}v4c0 4 26 4 26 0v-4z`} />
          <ellipse class="chip-top" cx="15" cy=${y} rx="13" ry="7" />
          <ellipse class="chip-ring" cx="15" cy=${y} rx="8.500" ry="4.200" />
        </g>`;
      })}
    </svg>
    <span class="chips-amount">${money(amount)}</span>
  </span>`;
}
