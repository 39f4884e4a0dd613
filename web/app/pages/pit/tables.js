// The tables of the house.
import { h } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { html } from '../../html.js';
import * as api from '../../api.js';
import { money } from '../../format.js';
import { Link, go } from '../../router.js';
import { watch } from '../../socket.js';
import { Waiting, useLoaded } from '../../ui/loaded.js';
import { useRulebooks } from '../../ui/rulebooks.js';
import { words } from '../../words/en.js';

/** @import { TableInfo, TableUpdate } from '../../types.js' */

/** Those that everyone finds; whoever may read the logs finds the others there. @param {boolean} manages */
async function all(manages) {
  const listed = await api.tables();
  if (!manages) return { listed, unlisted: /** @type {TableInfo[]} */ ([]) };
  const heads = await api.heads();
  const numbers = heads.map(it => Number(it.stream.match(/^table\/(\d+)$/)?.[1] ?? NaN));
  const missing = numbers.filter(it => !Number.isNaN(it) && !listed.some(table => table.table === it));
  return { listed, unlisted: await Promise.all(missing.map(api.table)) };
}

/** So many tables are shown live: the house lets nobody watch more than 16 at once. */
const LIVE = 12;

/**
 * A table in a few lines, as it is now.
 * @param {{ info: TableInfo, rules: string, listed: boolean, live: boolean }} props
 */
function One({ info, rules, listed, live }) {
  const [update, setUpdate] = useState(/** @type {TableUpdate | null} */ (null));
  useEffect(() => (live ? watch(info.table, setUpdate, () => {}) : undefined), [info.table, live]);
  const view = update?.view;
  const { closed } = update ?? info;
  const round = view?.round ?? info.round;
  const wagered = (view?.seats ?? []).flatMap(seat => Object.values(seat.stakes).flat())
    .reduce((sum, share) => sum + (share?.amount ?? 0), 0);
  return html`<h2>${info.name}</h2>
    <p class="quiet">${rules}<br />${words.history.tableNumber(info.table)}</p>
    <p>${words.pit.seated(info.people, info.bots, info.seats)}</p>
    <p class="pit-now"><span>${round > 0 ? words.pit.round(round) : words.pit.noRound}</span>
      ${view && html`<span class="tag">${words.events.phases[view.phase.name]}</span>`}
      ${wagered > 0 && html`<span class="tag">${words.pit.wagered(money(wagered))}</span>`}
      ${closed && html`<span class="tag void" title=${closed}>${words.pit.isClosed}</span>`}
      ${!listed && html`<span class="tag">${words.pit.unlisted}</span>`}</p>
    ${h(Link, { to: `/pit/tables/${info.table}`, class: 'button' }, html`<span aria-hidden="true">${words.pit.look}</span>
      <span class="only-read">${words.pit.lookAt(info.name)}</span>`)}`;
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
      ${tables.map((it, at) => html`<li key=${it.table} class="sheet" data-table=${it.table}>
        ${h(One, { info: it, rules: rulebooks.name(it.rules), listed: value.listed.includes(it), live: at < LIVE })}</li>`)}
    </ul>
    <form class="pit-find" onSubmit=${find}>
      <button type="button" onClick=${again}>${words.pit.refresh}</button>
      <label class="field"><span>${words.pit.number}</span><input name="number" inputmode="numeric" pattern="[0-9]+" required /></label>
      <button type="submit">${words.pit.go}</button>
    </form>`;
}
