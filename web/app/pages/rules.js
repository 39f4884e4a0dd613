// The rules: how the game goes, what each house does its own way, clause by clause.
import { h } from 'preact';
import * as api from '../api.js';
import { money, number } from '../format.js';
import { html } from '../html.js';
import { Link } from '../router.js';
import { useAsked, useHouses } from '../ui/asked.js';
import { Card, cardOf } from '../ui/card.js';
import { Figures } from '../ui/figures.js';
import { Cards, Setting } from '../ui/setting.js';
import { words } from '../words/en.js';

/** @import { Card as OneCard, Choice, Rules as RulesOf, Sheet } from '../types.js' */

const said = words.rules;
const PARTS = /** @type {const} */ (['table', 'wagers', 'bonuses', 'settlement', 'mishaps']);

/** @param {{ parts: Record<string, string> }} props */
export default function Rules({ parts }) {
  return parts.id ? h(House, { id: parts.id }) : h(Index, null);
}

function Index() {
  const houses = useHouses();
  const all = useAsked(houses && 'rules', () => Promise.all((houses ?? []).map(house => api.rulebook(house.id))));
  return html`<section class="page rules">
    <header class="page-head"><h1>${said.title}</h1><p class="quiet">${said.lead}</p></header>
    ${h(HowItGoes, null)}
    ${h(Ranked, null)}
    <section aria-labelledby="houses"><h2 id="houses">${said.houses}</h2>
      <ul class="rule-houses">${(houses ?? []).map(house => html`<li class="sheet" key=${house.id}>
        <h3>${house.name}</h3><p>${house.summary}</p>${h(Link, { to: `/rules/${house.id}`, class: 'button' }, said.read, html`<span class="only-read"> ${house.name}</span>`)}</li>`)}</ul>
    </section>
    ${all ? h(Differences, { all }) : html`<p class="loading" role="status">${words.common.loading}</p>`}
  </section>`;
}

/** Hands that show how a round goes. */
const SHOWN = {
  dealt: ['Kh', 'Ks', '9d', 'Ac', '7s', '4h', 'Jk'].map(cardOf),
  high: ['Kh', 'Ks', '9d', '7s', '4h'].map(cardOf),
  low: ['Jk', 'Ac'].map(cardOf),
  rightHigh: ['Jk', 'Ac', '9d', '7s', '4h'].map(cardOf),
  rightLow: ['Kh', 'Ks'].map(cardOf),
  bankerHigh: ['Qd', 'Qc', 'Jh', '6s', '3d'].map(cardOf),
  bankerLow: ['As', 'Ad'].map(cardOf),
};

function HowItGoes() {
  const [wager, dealt, set, compare, paid] = said.how;
  /** @param {{ title: string, says: string } | undefined} step @param {number} at @param {unknown} picture */
  const one = (step, at, picture) => step && html`<li class="step">
    <div class="step-picture">${picture}</div>
    <div class="step-says"><h3><span class="step-number" aria-hidden="true">${at}</span>${step.title}</h3><p>${step.says}</p></div></li>`;
  /** @param {string} label @param {OneCard[]} cards @param {string} [note] */
  const hand = (label, cards, note) => html`<div class="step-hand"><span class="set-label">${label}</span>${h(Cards, { cards })}${note && html`<em>${note}</em>`}</div>`;
  return html`<section aria-labelledby="how"><h2 id="how">${said.howTitle}</h2>
    <ol class="steps">
      ${one(wager, 1, html`<svg class="step-bets" viewBox="0 0 200 80" role="img" aria-label=${said.wagered}>
        <circle class="bet-circle" cx="70" cy="40" r="30" /><circle class="bet-circle" cx="146" cy="46" r="20" />
        <g class="chips"><ellipse cx="70" cy="48" rx="18" ry="8" /><ellipse cx="70" cy="42" rx="18" ry="8" /><ellipse class="chip-top" cx="70" cy="36" rx="18" ry="8" /></g>
        <g class="chips brass"><ellipse cx="146" cy="50" rx="12" ry="5.500" /><ellipse class="chip-top" cx="146" cy="45" rx="12" ry="5.500" /></g></svg>`)}
      ${one(dealt, 2, html`<div class="fan" role="img" aria-label=${said.yourSeven}>${SHOWN.dealt.map(card => h(Card, { card, label: false, key: card }))}</div>`)}
      ${one(set, 3, html`<div class="step-set">${hand(said.low, SHOWN.rightLow)}${hand(said.high, SHOWN.rightHigh)}</div>`)}
      ${one(compare, 4, html`<div class="step-compare">
        <div><b>${said.you}</b>${hand(said.low, SHOWN.rightLow, said.lower)}${hand(said.high, SHOWN.rightHigh, said.higher)}</div>
        <div><b>${said.banker}</b>${hand(said.low, SHOWN.bankerLow)}${hand(said.high, SHOWN.bankerHigh)}</div></div>`)}
      ${one(paid, 5, html`<p class="step-result">${said.evens}</p>`)}
    </ol>
  </section>`;
}

/** A hand of each kind. */
const RANKED = /** @type {const} */ ({
  'five-aces': ['As', 'Ah', 'Ad', 'Ac', 'Jk'],
  'straight-flush': ['9h', '8h', '7h', '6h', '5h'],
  'four-of-a-kind': ['Qs', 'Qh', 'Qd', 'Qc', '4d'],
  'full-house': ['8s', '8h', '8d', 'Ks', 'Kc'],
  flush: ['Ac', 'Jc', '9c', '6c', '3c'],
  straight: ['Jd', 'Ts', '9h', '8c', '7d'],
  'three-of-a-kind': ['5s', '5h', '5d', 'Kd', '9c'],
  'two-pair': ['Ks', 'Kc', '6h', '6d', 'Ac'],
  'one-pair': ['Ts', 'Td', 'Ah', '8c', '4s'],
  'high-card': ['Ad', 'Qs', '9c', '7h', '3s'],
});

function Ranked() {
  return html`<section aria-labelledby="rank"><h2 id="rank">${said.rank}</h2>
    <p class="quiet">${said.rankSays} ${said.lowRank}</p>
    <ol class="ranked">${/** @type {(keyof typeof RANKED)[]} */ (Object.keys(RANKED)).map(name => html`<li key=${name}>
      <span class="ranked-name">${said.ranked[name]}</span>${h(Cards, { cards: RANKED[name].map(cardOf) })}</li>`)}</ol>
  </section>`;
}

/** What is not the same in every house. @param {{ all: RulesOf[] }} props */
function Differences({ all }) {
  const choices = all.flatMap(house => house.choices).filter(it => it.part !== 'mishaps');
  const topics = [...new Set(choices.map(it => it.about))];
  /** @param {RulesOf} house @param {string} about */
  const ofHouse = (house, about) => house.choices.find(it => it.about === about)?.is ?? '–';
  /** Who says something about it. @param {string} about */
  const having = about => all.filter(house => house.choices.some(it => it.about === about));
  const shared = topics.filter(about => having(about).length > 1);
  const differ = shared.filter(about => new Set(all.map(house => ofHouse(house, about))).size > 1);
  /** @param {RulesOf} house */
  const alone = house => {
    const own = topics.filter(about => having(about).length === 1 && having(about)[0] === house);
    return [...new Set(own.map(said.kindOf))];
  };
  return html`<section aria-labelledby="differences"><h2 id="differences">${said.differences}</h2>
    <p class="quiet">${said.differencesSays} ${h(Link, { to: '/trainer?rules=mbs-2020&kind=houses&other=cardroom' }, said.setDifferently)}</p>
    <dl class="facts differing sheet">${differ.map(about => html`<div key=${about}><dt>${about}</dt>
      ${[...new Set(all.map(house => ofHouse(house, about)))].map(is => html`<dd key=${is}>${is}
        <small>${all.filter(house => ofHouse(house, about) === is).map(house => house.name).join(' · ')}</small></dd>`)}</div>`)}</dl>
    ${h(Figures, {
      by: 'differences', class: 'differences', sheet: true,
      columns: [{ name: said.topic }, ...all.map(({ id, name }) => ({ name, head: h(Link, { to: `/rules/${id}` }, name) }))],
      rows: differ.map(about => ({ key: about, cells: [about, ...all.map(house => ofHouse(house, about))] })),
    })}
    <h3>${said.onlyHere}</h3>
    <dl class="facts alone">${all.filter(house => alone(house).length > 0).map(house => html`<div key=${house.id}>
      <dt>${h(Link, { to: `/rules/${house.id}` }, house.name)}</dt><dd>${said.listed(alone(house))}</dd></div>`)}</dl>
  </section>`;
}

/** @param {{ id: string }} props */
function House({ id }) {
  const houses = useHouses();
  const known = houses?.some(it => it.id === id);
  const rules = useAsked(known ? `rules ${id}` : null, () => api.rulebook(id));
  const sheet = useAsked(known ? `sheet ${id}` : null, () => api.houseWay(id));
  if (houses && !known) {
    return html`<section class="page narrow"><h1>${said.none}</h1><p>${h(Link, { to: '/rules' }, said.allRules)}</p></section>`;
  }
  return html`<section class="page rules">
    ${rules ? html`
      <header class="page-head"><p>${h(Link, { to: '/rules' }, said.allRules)}</p><h1>${rules.name}</h1><p>${rules.summary}</p>
        <p class="quiet">${said.source(rules.document, rules.edition)}</p></header>
      <nav class="rules-contents" aria-label=${said.contents}>
        ${[...PARTS.slice(0, 2).map(part => [part, said.parts[part]]), ['pay-table', said.parts['pay-table']], ...PARTS.slice(2).map(part => [part, said.parts[part]]),
          ['house-way', said.sheet], ['clauses', said.clauses]].map(([to, name]) => html`<a key=${to} href=${`#${to}`}>${name}</a>`)}
        ${h(Link, { to: `/odds?rules=${id}` }, said.oddsOf)}${h(Link, { to: `/trainer?rules=${id}` }, said.train)}
      </nav>
      ${h(Part, { part: 'table', choices: rules.choices })}
      ${h(Part, { part: 'wagers', choices: rules.choices })}
      ${h(PayTable, { rules })}
      ${h(Part, { part: 'bonuses', choices: rules.choices })}
      ${h(Part, { part: 'settlement', choices: rules.choices })}
      ${h(Part, { part: 'mishaps', choices: rules.choices })}
      ${sheet ? h(HouseWay, { sheet }) : html`<p class="loading" role="status">${words.common.loading}</p>`}
      ${h(Clauses, { rules })}`
    : html`<p class="loading" role="status">${words.common.loading}</p>`}
  </section>`;
}

/** @param {{ choices: Choice[] }} props */
function Facts({ choices }) {
  return html`<dl class="facts">${choices.map(it => html`<div key=${it.about}><dt>${said.mishap(it.about)}</dt>
    <dd>${it.is}</dd><dd class="clause">${it.clauses}</dd></div>`)}</dl>`;
}

/**
 * A part of the rules. What is one of several of a kind is folded away.
 * @param {{ part: typeof PARTS[number], choices: Choice[] }} props
 */
function Part({ part, choices }) {
  const own = choices.filter(it => it.part === part);
  if (own.length === 0) return null;
  const plain = own.filter(it => said.kindOf(it.about) === it.about);
  const folded = own.filter(it => !plain.includes(it));
  const kinds = [...new Set(folded.map(it => said.kindOf(it.about)))];
  return html`<section class="sheet rules-part" aria-labelledby=${part}><h2 id=${part}>${said.parts[part]}</h2>
    ${h(Facts, { choices: plain })}
    ${kinds.map(kind => {
      const all = folded.filter(it => said.kindOf(it.about) === kind);
      return html`<details key=${kind}><summary>${said.several(all.length, kind)}</summary>${h(Facts, { choices: all })}</details>`;
    })}
  </section>`;
}

/** @param {{ rules: RulesOf }} props */
function PayTable({ rules }) {
  const envy = rules.fortune.some(line => line.envy);
  return html`<section class="sheet rules-part" aria-labelledby="pay-table"><h2 id="pay-table">${said.parts['pay-table']}</h2>
    <table class="figures rules-pays"><thead><tr><th scope="col">${said.hand}</th><th scope="col" class="number">${said.pays}</th>
      ${envy && html`<th scope="col" class="number">${said.envy}</th>`}</tr></thead>
    <tbody>${[...rules.fortune].reverse().map(line => html`<tr key=${line.hand}><th scope="row">${words.cards.bonusHands[line.hand]}</th>
      <td class="number">${said.toOne(number(line.pays))}</td>${envy && html`<td class="number">${line.envy ? money(line.envy) : ''}</td>`}</tr>`)}</tbody></table>
  </section>`;
}

/** @param {{ sheet: Sheet }} props */
function HouseWay({ sheet }) {
  return html`<section class="rules-part" aria-labelledby="house-way"><h2 id="house-way">${said.sheet}</h2>
    <p class="quiet">${said.sheetSays}</p>
    <ol class="house-way">${sheet.rows.map(it => html`<li class="sheet" key=${it.row.place}>
      <div class="way-says"><p><span class="clause">${it.row.id}</span></p><h3>${it.row.about}</h3><p>${it.row.says}</p>
        <p class="quiet">${said.hands(number(it.hands))}</p>
        ${it.readings.length > 0 && html`<details><summary>${said.readings}</summary>${it.readings.map(reading => html`<p key=${reading.id}><span class="clause">${reading.id}</span> ${reading.says}</p>`)}</details>`}</div>
      ${it.example && html`<div class="way-example"><p class="set-label">${said.example}</p>${h(Setting, { setting: it.example })}</div>`}
    </li>`)}</ol>
  </section>`;
}

/** @param {{ rules: RulesOf }} props */
function Clauses({ rules }) {
  return html`<section class="sheet rules-part" aria-labelledby="clauses"><h2 id="clauses">${said.clauses}</h2>
    <details><summary>${said.clausesSays(rules.clauses.length)}</summary>
    <dl class="facts clauses">${rules.clauses.map((it, at) => html`<div key=${at}><dt class="clause">${it.id}</dt><dd>${it.says}</dd></div>`)}</dl></details>
  </section>`;
}
