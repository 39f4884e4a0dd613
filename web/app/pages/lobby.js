// The lobby: one click and one plays; or one chooses, joins, watches, opens a table for friends.
import { h } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import * as api from '../api.js';
import { html } from '../html.js';
import { money } from '../format.js';
import { Link, go } from '../router.js';
import { useOwnTables } from '../seated.js';
import { comeIn } from '../session.js';
import { Card, cardOf } from '../ui/card.js';
import { Choice } from '../ui/choice.js';
import { saying } from '../ui/loaded.js';
import { complain } from '../ui/toast.js';
import { words } from '../words/en.js';

/** @import { Posted, RulesInfo, TableInfo, Wish } from '../types.js' */

const text = words.lobby;

/** Where whoever does not choose begins. */
const FIRST_HOUSE = 'mbs-2020';

/** A hand to look at. */
const SHOWN = { high: ['As', 'Kd', 'Qh', 'Jk', 'Tc'].map(cardOf), low: ['9s', '9d'].map(cardOf) };

/** How often the list of tables is asked for. */
const EVERY = 5_000;

/** @typedef {{ bots: number, stakes: 'usual' | 'high', pace: 'calm' | 'usual', who: 'friends' | 'everyone' }} Chosen */

/** A table for oneself, with time to think. @type {Chosen} */
const BY_ITSELF = { bots: 3, stakes: 'usual', pace: 'calm', who: 'friends' };

/** @param {RulesInfo} house @param {Chosen} chosen @returns {Wish} */
function wish(house, chosen) {
  const posted = structuredClone(house.posted);
  if (chosen.stakes === 'high') {
    posted.standard = high(posted.standard);
  }
  if (chosen.pace === 'calm') {
    posted.time = { banking: 60_000, betting: 120_000, setting: 180_000, conceding: 30_000 };
  }
  return {
    rules: house.id,
    name: house.name,
    posted,
    bots: Math.min(chosen.bots, house.seats - 1),
    results: chosen.pace === 'calm' ? 60_000 : 12_000,
    listed: chosen.who === 'everyone',
  };
}

/** Ten times the usual least, and as much as ever. @param {Posted['standard']} range */
const high = range => ({ minimum: Math.min(range.minimum * 10, range.maximum), maximum: range.maximum });

/** Opens a table and sits down at it. @param {RulesInfo} house @param {Chosen} chosen */
async function play(house, chosen) {
  await comeIn();
  const { table } = await api.openTable(wish(house, chosen));
  go(`/table/${table}?sit`);
}

/** @param {unknown} error */
const explain = error => complain(saying(error));

export default function Lobby() {
  const [houses, setHouses] = useState(/** @type {RulesInfo[]} */ ([]));
  const [picked, pick] = useState(FIRST_HOUSE);
  const [busy, setBusy] = useState(false);
  const tables = useOwnTables('/');
  useEffect(() => {
    api.rulebooks().then(all => {
      const first = all.filter(it => it.id === FIRST_HOUSE);
      setHouses([...first, ...all.filter(it => it.id !== FIRST_HOUSE)]);
    }, explain);
  }, []);
  const house = houses.find(it => it.id === picked);
  /** @param {Chosen} chosen */
  const start = chosen => {
    if (!house) return;
    setBusy(true);
    play(house, chosen).catch(error => {
      explain(error);
      setBusy(false);
    });
  };
  return html`<section class="page lobby">
    <div class="hero">
      <div class="hero-words">
        <h1>${text.heading}</h1>
        <p>${text.lead}</p>
        ${tables.length > 0 && html`<p class="hero-do own-tables">${tables.map(table => h(Link,
          { to: `/table/${table}`, class: 'button', key: table },
          tables.length === 1 ? words.common.toTable : words.common.toTableOf(table)))}</p>`}
        <div class="hero-do">
          <button type="button" class="first large" id="play-now" disabled=${busy || !house}
            onClick=${() => start(BY_ITSELF)}>${busy ? text.playing : text.playNow}</button>
          <p class="hero-house">${house?.name}</p>
        </div>
      </div>
      <div class="hero-cards" aria-hidden="true">
        <div class="fan high">${SHOWN.high.map(card => h(Card, { card, key: card, label: false }))}</div>
        <div class="fan low">${SHOWN.low.map(card => h(Card, { card, key: card, label: false }))}</div>
      </div>
    </div>
    <fieldset class="houses">
      <legend><h2>${text.choose}</h2></legend>
      ${houses.map(it => h(House, { house: it, picked: it.id === picked, pick, key: it.id }))}
    </fieldset>
    ${house && h(Own, { house, busy, start })}
    ${h(Tables, null)}
    <aside class="newcomer"><h2>${text.newcomer}</h2><p>${text.newcomerSays}</p></aside>
  </section>`;
}

/** @param {{ house: RulesInfo, picked: boolean, pick: (id: string) => void }} props */
function House({ house, picked, pick }) {
  return html`<div class="house">
    <label>
      <input type="radio" name="house" value=${house.id} checked=${picked} onChange=${() => pick(house.id)} />
      <span class="house-name">${house.name}</span>
      <span class="house-says">${text.houses[house.id]?.says ?? house.summary}</span>
    </label>
    ${h(Link, { to: `/rules/${house.id}`, class: 'house-rules' }, text.readRules,
      html`<span class="only-read"> ${house.name}</span>`)}
  </div>`;
}

/** A table as one wants it. @param {{ house: RulesInfo, busy: boolean, start: (chosen: Chosen) => void }} props */
function Own({ house, busy, start }) {
  const [chosen, setChosen] = useState(/** @type {Chosen} */ ({ ...BY_ITSELF, pace: 'usual' }));
  /** @param {Partial<Chosen>} part */
  const change = part => setChosen({ ...chosen, ...part });
  const bots = Object.fromEntries(Array.from({ length: house.seats }, (_, count) => [String(count), String(count)]));
  const usual = house.posted.standard;
  const stakes = Object.fromEntries(
    [['usual', usual], ['high', high(usual)]].map(([name, range]) => {
      const { minimum, maximum } = /** @type {Posted['standard']} */ (range);
      return [name, text.range(money(minimum), money(maximum))];
    }),
  );
  return html`<details class="sheet own">
    <summary><h2>${text.table}</h2></summary>
    <div class="own-choices">
      ${h(Choice, { name: 'bots', label: text.bots, labels: bots, value: String(Math.min(chosen.bots, house.seats - 1)), choose: value => change({ bots: Number(value) }) })}
      ${h(Choice, { name: 'stakes', label: text.stakes, labels: stakes, value: chosen.stakes, choose: value => change({ stakes: /** @type {Chosen['stakes']} */ (value) }) })}
      ${h(Choice, { name: 'pace', label: text.pace, labels: text.paces, value: chosen.pace, choose: value => change({ pace: /** @type {Chosen['pace']} */ (value) }) })}
      ${h(Choice, { name: 'who', label: text.who, labels: text.whos, value: chosen.who, choose: value => change({ who: /** @type {Chosen['who']} */ (value) }) })}
    </div>
    <button type="button" class="first" id="open-table" disabled=${busy} onClick=${() => start(chosen)}>${text.open}</button>
  </details>`;
}

/** Tables that everyone may find. */
function Tables() {
  const [tables, setTables] = useState(/** @type {TableInfo[] | null} */ (null));
  useEffect(() => {
    // The house may be away for a while: then the list stays as it is.
    const look = () => api.tables().then(setTables, () => {});
    look();
    const timer = setInterval(look, EVERY);
    return () => clearInterval(timer);
  }, []);
  if (tables === null) return null;
  return html`<section class="tables" aria-labelledby="tables-heading">
    <h2 id="tables-heading">${text.tables}</h2>
    ${tables.length === 0 && html`<p class="quiet">${text.none}</p>`}
    <ul>${tables.map(table => h(Row, { table, key: table.table }))}</ul>
  </section>`;
}

/** @param {{ table: TableInfo }} props */
function Row({ table }) {
  const { minimum, maximum } = table.posted.standard;
  const house = text.houses[table.rules]?.name ?? table.rules;
  const full = table.people + table.bots >= table.seats;
  const join = () => comeIn().then(() => go(`/table/${table.table}?sit`), explain);
  return html`<li data-table=${table.table}>
    <div class="row-name"><strong>${table.name}</strong>
      ${house !== table.name && html`<span class="quiet">${house}</span>`}
      ${table.closed && html`<span class="row-closed">${text.closed(table.closed)}</span>`}</div>
    <span class="row-stakes">${text.range(money(minimum), money(maximum))}</span>
    <span class="quiet">${text.seated(table.people, table.bots, table.seats)}, ${text.round(table.round)}</span>
    <span class="row-do">
      ${table.closed ? null
        : full ? html`<span class="quiet">${text.full}</span>`
        : html`<button type="button" class="small" onClick=${join}>${text.join}</button>`}
      ${h(Link, { to: `/table/${table.table}`, class: 'button small' }, text.watch)}
    </span>
  </li>`;
}
