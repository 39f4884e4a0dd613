// The tables of the house.
import { h } from 'preact';
import { html } from '../../html.js';
import * as api from '../../api.js';
import { Link, go } from '../../router.js';
import { Waiting, useLoaded } from '../../ui/loaded.js';
import { useRulebooks } from '../../ui/rulebooks.js';
import { words } from '../../words/en.js';

/** @import { TableInfo } from '../../types.js' */

/** Those that everyone finds; whoever may read the logs finds the others there. @param {boolean} manages */
async function all(manages) {
  const listed = await api.tables();
  if (!manages) return { listed, unlisted: /** @type {TableInfo[]} */ ([]) };
  const heads = await api.heads();
  const numbers = heads.map(it => Number(it.stream.match(/^table\/(\d+)$/)?.[1] ?? NaN));
  const missing = numbers.filter(it => !Number.isNaN(it) && !listed.some(table => table.table === it));
  return { listed, unlisted: await Promise.all(missing.map(api.table)) };
}

/** @param {{ manages: boolean }} props */
export function Tables({ manages }) {
  const { value, error, again } = useLoaded(() => all(manages), [manages]);
  const rulebooks = useRulebooks();
  /** @param {Event} event */
  const find = event => {
    event.preventDefault();
    const given = new FormData(/** @type {HTMLFormElement} */ (event.currentTarget)).get('number');
    go(`/pit/tables/${encodeURIComponent(String(given).trim())}`);
  };
  if (!value) return h(Waiting, { error });
  const tables = [...value.listed, ...value.unlisted];
  return html`
    ${tables.length === 0 && html`<p class="sheet nothing">${words.pit.tablesNone}</p>`}
    <ul class="pit-tables">
      ${tables.map(it => html`<li key=${it.table} class="sheet" data-table=${it.table}>
        <h2>${it.name}</h2>
        <p class="quiet">${rulebooks.name(it.rules)}<br />${words.history.tableNumber(it.table)}</p>
        <p>${words.pit.seated(it.people, it.bots, it.seats)}</p>
        <p>${it.round > 0 ? words.pit.round(it.round) : words.pit.noRound}
          ${value.unlisted.includes(it) && html` <span class="tag">${words.pit.unlisted}</span>`}</p>
        ${h(Link, { to: `/pit/tables/${it.table}`, class: 'button' }, html`<span aria-hidden="true">${words.pit.look}</span>
          <span class="only-read">${words.pit.lookAt(it.name)}</span>`)}
      </li>`)}
    </ul>
    <form class="pit-find" onSubmit=${find}>
      <button type="button" onClick=${again}>${words.pit.refresh}</button>
      <label class="field"><span>${words.pit.number}</span><input name="number" inputmode="numeric" pattern="[0-9]+" required /></label>
      <button type="submit">${words.pit.go}</button>
    </form>`;
}
