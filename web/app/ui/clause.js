// A clause by its id, and what it says one tap away.
import { html } from '../html.js';
import { words } from '../words/en.js';

/** @import { Rules } from '../types.js' */

/** @param {{ id: string, rules: Rules | null }} props */
export function Clause({ id, rules }) {
  const says = rules?.clauses.filter(clause => clause.id === id).map(clause => clause.says).join(' ');
  return html`<details class="clause-says">
    <summary><span class="clause">${words.common.clause(id)}</span></summary>
    <p>${says || words.table.results.clauseUnknown}</p>
  </details>`;
}
