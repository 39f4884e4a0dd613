// Tables of figures. Where there is no room for a table each row stands by itself, every figure below the name of its
// column; what it is to a screen reader does not change.
import { html } from '../html.js';

/** @import { ComponentChildren } from 'preact' */

/**
 * @typedef {object} Column
 * @property {string} name
 * @property {ComponentChildren} [head] what stands at its head instead of the name
 * @property {boolean} [number]
 * @property {string} [class]
 */

/**
 * @typedef {object} Row
 * @property {string | number} key
 * @property {ComponentChildren[]} cells the first of them names the row
 * @property {string} [class]
 * @property {Record<string, string | number>} [data]
 */

/** Columns of figures. @param {string[]} names @returns {Column[]} */
export const numbers = names => names.map(name => ({ name, number: true }));

/** @param {Record<string, string | number>} data */
const named = data => Object.fromEntries(Object.entries(data).map(([name, value]) => [`data-${name}`, value]));

/** So many columns fit a phone. */
const FEW = 4;

/**
 * @param {{ by: string, columns: Column[], rows: Row[], class?: string, sheet?: boolean }} props `by` is the id of what names it
 */
export function Figures({ by, columns, rows, class: name = '', sheet = false }) {
  const stacks = columns.length > FEW ? 'stacks' : '';
  /** @param {number} at */
  const looks = at => [columns[at]?.number && 'number', columns[at]?.class].filter(Boolean).join(' ');
  return html`<div class=${`wide ${sheet ? 'sheet' : ''}`} tabindex="0" role="region" aria-labelledby=${by}>
    <table class=${`figures ${stacks} ${name}`} role="table" aria-labelledby=${by}>
      <thead role="rowgroup"><tr role="row">${columns.map(({ name: text, head }, at) => html`<th scope="col" role="columnheader"
        class=${looks(at)} key=${at}>${head ?? text}</th>`)}</tr></thead>
      <tbody role="rowgroup">${rows.map(row => html`<tr role="row" class=${row.class} key=${row.key} ...${named(row.data ?? {})}>
        ${row.cells.map((cell, at) => (at === 0
          ? html`<th scope="row" role="rowheader" class=${looks(at)} key=${at}>${cell}</th>`
          : html`<td role="cell" class=${looks(at)} key=${at} data-column=${columns[at]?.name}>${cell}</td>`))}</tr>`)}</tbody>
    </table></div>`;
}
