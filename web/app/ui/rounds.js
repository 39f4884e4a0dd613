// Rounds that are over: looked for by what the address asks, listed, a page at a time.
import { h } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { html } from '../html.js';
import * as api from '../api.js';
import { gain, money, when } from '../format.js';
import { Link, go, here } from '../router.js';
import { words } from '../words/en.js';
import { Waiting } from './loaded.js';
import { useRulebooks } from './rulebooks.js';

/** @import { PlayedRound } from '../types.js' */

const FILTERS = ['table', 'rules', 'status', 'from', 'until'];
const PAGE = 50;

/** The start of a day here, some days later. @param {string} date @param {number} later */
function day(date, later) {
  if (!date) return null;
  const start = new Date(`${date}T00:00`);
  start.setDate(start.getDate() + later);
  const at = start.getTime();
  return Number.isNaN(at) ? null : Math.max(at, 0);
}

/**
 * @param {{ base: string, load: typeof api.history, sum: boolean, none: import('preact').ComponentChildren }} props where
 *   one is; what finds rounds; whether to add up what is shown; what to say where there are none at all
 */
export function Rounds({ base, load, sum, none }) {
  const { query } = here.value;
  const asked = Object.fromEntries(FILTERS.map(name => [name, query.get(name) ?? '']));
  const key = FILTERS.map(name => asked[name]).join('|');
  const rulebooks = useRulebooks();
  const [tables, setTables] = useState(/** @type {Map<number, string>} */ (new Map()));
  const [rounds, setRounds] = useState(/** @type {PlayedRound[] | null} */ (null));
  const [next, setNext] = useState(/** @type {string | null} */ (null));
  const [error, setError] = useState(/** @type {unknown} */ (null));

  // What was asked for before something else is of no interest any more.
  const latest = useRef(key);
  latest.current = key;
  /** @param {string} before @param {PlayedRound[]} already */
  const find = async (before, already) => {
    try {
      const page = await load({
        table: asked.table, rules: asked.rules, status: asked.status, from: day(asked.from ?? '', 0),
        until: day(asked.until ?? '', 1), before, most: PAGE,
      });
      if (latest.current !== key) return;
      setRounds([...already, ...page.rounds]);
      setNext(page.next ?? null);
      setError(null);
    } catch (wrong) {
      if (latest.current === key) setError(wrong);
    }
  };
  useEffect(() => {
    find('', []);
  }, [key]);

  // Rounds tell the numbers of their tables; people know them by name.
  useEffect(() => {
    const met = [...new Set([...(rounds ?? []).map(it => it.table), ...(asked.table ? [Number(asked.table)] : [])])];
    const unknown = met.filter(it => !tables.has(it));
    if (unknown.length === 0) return;
    const numbered = unknown.map(it => /** @type {const} */ ([it, words.history.tableNumber(it)]));
    setTables(before => new Map([...before, ...numbered]));
    for (const it of unknown) {
      api.table(it).then(found => setTables(before => new Map([...before, [it, found.name]])), () => {});
    }
  }, [rounds]);

  /** @param {Event} event */
  const change = event => {
    const form = /** @type {HTMLFormElement} */ (event.currentTarget);
    const given = [...new FormData(form)].map(([name, value]) => [name, String(value)]).filter(([, value]) => value !== '');
    const text = new URLSearchParams(given).toString();
    go(text ? `${base}?${text}` : base, { replace: true });
  };
  const filtered = FILTERS.some(name => asked[name]);
  return html`
    <form class="filters" aria-label=${words.history.filters} onChange=${change}
        onSubmit=${(/** @type {Event} */ event) => event.preventDefault()}>
      <label class="field"><span>${words.history.rules}</span>
        <select name="rules" value=${asked.rules}>
          <option value="">${words.history.anyRules}</option>
          ${rulebooks.all.map(it => html`<option key=${it.id} value=${it.id} selected=${it.id === asked.rules}>${it.name}</option>`)}
        </select></label>
      <label class="field"><span>${words.history.status}</span>
        <select name="status" value=${asked.status}>
          <option value="">${words.history.anyStatus}</option>
          ${Object.entries(words.history.statuses).map(([value, text]) =>
            html`<option key=${value} value=${value} selected=${value === asked.status}>${text}</option>`)}
        </select></label>
      <label class="field"><span>${words.history.table}</span>
        <select name="table" value=${asked.table}>
          <option value="">${words.history.anyTable}</option>
          ${[...tables].map(([value, text]) =>
            html`<option key=${value} value=${value} selected=${String(value) === asked.table}>${text}</option>`)}
        </select></label>
      <label class="field"><span>${words.history.from}</span><input name="from" type="date" value=${asked.from} /></label>
      <label class="field"><span>${words.history.until}</span><input name="until" type="date" value=${asked.until} /></label>
      ${filtered && html`<button type="button" class="plain" onClick=${() => go(base, { replace: true })}>${words.history.clear}</button>`}
    </form>
    ${rounds === null || error ? h(Waiting, { error })
      : rounds.length === 0 ? html`<div class="sheet nothing">${filtered ? html`<p>${words.history.noneFound}</p>` : none}</div>`
      : html`
        <p class="rounds-sum" role="status"><span>${words.history.shown(rounds.length)}</span>
          ${sum && html`<span>${words.history.sum}: ${h(Gain, { amount: rounds.reduce((all, it) => all + it.net, 0) })}</span>`}</p>
        <ol class="rounds" aria-label=${words.history.list}>
          ${rounds.map((it, at) => html`<li key=${`${it.table}-${it.round}-${it.ended}-${at}`}>
            ${h(Link, { to: `/round/${it.table}/${it.round}`, class: 'round-link' }, html`
              <b>${words.history.round(tables.get(it.table) ?? words.history.tableNumber(it.table), it.round)}</b>
              <span class="round-when">${when(it.ended)}</span>
              <span class="round-rules">${rulebooks.name(it.rules)}</span>
              <span class="round-bets">${bets(it)}</span>
              <span class="round-end">${it.status !== 'settled' && h(Ended, { round: it })}
                ${sum && h(Gain, { amount: it.net })}</span>`)}
          </li>`)}
        </ol>
        ${next && html`<p><button type="button" onClick=${() => find(next, rounds)}>${words.history.more}</button></p>`}`}
  `;
}

/** What was wagered, bet by bet. @param {PlayedRound} round */
function bets(round) {
  /** @type {Map<string, number>} */
  const sums = new Map();
  for (const { bet, wagered } of round.shares) sums.set(bet, (sums.get(bet) ?? 0) + wagered);
  const names = /** @type {Record<string, string>} */ (words.events.bets);
  return [...sums].map(([bet, amount]) => (amount > 0 ? `${names[bet] ?? bet} ${money(amount)}` : names[bet] ?? bet)).join(' · ');
}

/** How a round ended, where it is not simply settled. @param {{ round: PlayedRound }} props */
export function Ended({ round }) {
  return html`<span class=${`tag ${round.status}`}>${words.history.statuses[round.status]}${round.clause
    ? html` <span class="clause">${round.clause}</span>` : ''}</span>`;
}

/** A gain or a loss. @param {{ amount: number }} props */
export function Gain({ amount }) {
  return html`<span class=${`gain ${amount > 0 ? 'win' : amount < 0 ? 'lose' : 'push'}`}>${gain(amount)}</span>`;
}
