// Any seven cards: how the houses set them, and what every setting is worth.
import { h } from 'preact';
import { useState } from 'preact/hooks';
import * as api from '../api.js';
import { number, percent, worth } from '../format.js';
import { html } from '../html.js';
import { Link, go, here } from '../router.js';
import { useAsked, useHouses } from '../ui/asked.js';
import { ALL, Chosen, Picker, read } from '../ui/picker.js';
import { Shares } from '../ui/plot.js';
import { Cards, Setting } from '../ui/setting.js';
import { complain, tell } from '../ui/toast.js';
import { words } from '../words/en.js';

/** @import { Advice, Advised, Card, RulesInfo, SetHand } from '../types.js' */

const said = words.lookUp;

/** The address of a hand. @param {Card[]} cards */
const address = cards => (cards.length === 0 ? '/look-up' : `/look-up?cards=${cards.join('-')}`);

export default function LookUp() {
  const asked = read(here.value.query.get('cards') ?? '').cards.slice(0, 7);
  const [text, setText] = useState(asked.join(' '));
  const [wrong, setWrong] = useState(/** @type {string | null} */ (null));
  const houses = useHouses();

  /** @param {Card[]} cards */
  const choose = cards => {
    setText(cards.join(' '));
    setWrong(null);
    go(address(cards), { replace: true });
  };
  /** @param {Card} card */
  const toggle = card => choose(asked.includes(card) ? asked.filter(it => it !== card) : [...asked, card]);
  /** @param {string} written */
  const type = written => {
    setText(written);
    const found = read(written);
    setWrong(found.wrong);
    go(address(found.cards.slice(0, 7)), { replace: true });
  };
  const deal = () => {
    const rest = [...ALL];
    const random = crypto.getRandomValues(new Uint32Array(7));
    choose([...random].flatMap(it => rest.splice(it % rest.length, 1)));
  };

  return html`<section class="page look-up">
    <header class="page-head"><h1>${said.title}</h1><p class="quiet">${said.lead}</p></header>
    <div class="sheet look-up-hand">
      <label class="typed"><span>${said.typed}</span>
        <input name="cards" value=${text} autocomplete="off" autocapitalize="off" spellcheck=${false} aria-describedby="typed-help"
          aria-invalid=${wrong !== null} onInput=${(/** @type {InputEvent} */ event) => type(/** @type {HTMLInputElement} */ (event.target).value)} />
      </label>
      <p id="typed-help" class=${wrong ? 'wrong' : 'quiet'} role="status">${wrong ?? (asked.length === 0 ? said.typedHelp : said.chosen(asked.length))}</p>
      ${h(Chosen, { chosen: asked, onTake: toggle })}
      ${h(Picker, { chosen: asked, onToggle: toggle })}
      <div class="look-up-acts">
        <button type="button" onClick=${deal}>${said.random}</button>
        <button type="button" class="plain" disabled=${asked.length === 0} onClick=${() => choose([])}>${said.clear}</button>
        ${asked.length === 7 && html`<button type="button" class="plain" onClick=${copyLink}>${said.share}</button>`}
      </div>
    </div>
    ${asked.length === 7 && houses ? h(Found, { cards: asked, houses }) : html`<p class="quiet look-up-empty">${said.empty}</p>`}
  </section>`;
}

function copyLink() {
  navigator.clipboard.writeText(location.href).then(() => tell(said.shared), () => complain(said.notShared));
}

/** @param {{ cards: Card[], houses: RulesInfo[] }} props */
function Found({ cards, houses }) {
  const key = [...cards].sort().join(' ');
  const set = useAsked(key, () => Promise.all(houses.map(house => api.setHand(house.id, cards))));
  return html`
    <section class="look-up-found" aria-labelledby="houses">
      <h2 id="houses">${said.houses}</h2>
      ${set ? h(Houses, { houses, set }) : html`<p class="loading" role="status">${words.common.loading}</p>`}
    </section>
    ${h(Values, { cards, houses })}`;
}

/** @param {{ houses: RulesInfo[], set: SetHand[] }} props */
function Houses({ houses, set }) {
  const lows = set.map(it => it.setting.low.join(' '));
  const ways = [...new Set(lows)];
  const bonus = set[0]?.bonus;
  return html`
    <p role="status">${ways.length === 1 ? said.alike(houses.length) : said.ways(ways.length)}
      ${bonus && ` ${said.bonus(words.cards.bonusHands[bonus])}`}</p>
    <ul class="houses-set">
      ${houses.map((house, at) => {
        const it = set[at];
        if (!it) return null;
        const way = ways.indexOf(lows[at] ?? '') + 1;
        return html`<li class="sheet house-set" key=${house.id} data-house=${house.id} data-low=${lows[at]}>
          <div class="house-set-head"><h3>${h(Link, { to: `/rules/${house.id}` }, house.name)}</h3>
            ${ways.length > 1 && html`<span class=${`way way-${way}`}>${said.way(way)}</span>`}</div>
          ${h(Setting, { setting: it.setting })}
          <p class="house-set-why"><span class="clause">${words.common.clause(it.clause)}</span> ${it.why}</p>
        </li>`;
      })}
    </ul>`;
}

/** @param {{ cards: Card[], houses: RulesInfo[] }} props */
function Values({ cards, houses }) {
  const [rules, setRules] = useState(houses[0]?.id ?? '');
  const key = `${rules} ${[...cards].sort().join(' ')}`;
  const advice = useAsked(key, () => api.advise(rules, cards));
  return html`<section class="look-up-values" aria-labelledby="values">
    <h2 id="values">${said.values}</h2>
    <label class="under"><span>${said.under}</span>
      <select value=${rules} onChange=${(/** @type {Event} */ event) => setRules(/** @type {HTMLSelectElement} */ (event.target).value)}>
        ${houses.map(house => html`<option key=${house.id} value=${house.id}>${house.name}</option>`)}
      </select></label>
    ${advice ? h(ValueTable, { advice, key }) : html`<p class="loading" role="status">${words.common.loading}</p>`}
  </section>`;
}

const FEW = 6;

/** Settings of the same worth that are called the same differ in suits alone. @param {Advised[]} all */
function toldOnce(all) {
  /** @type {Map<string, Advised>} */
  const kept = new Map();
  for (const it of all) {
    const name = `${it.setting['low-is']} / ${it.setting['high-is']} / ${it.win} ${it.push}`;
    const before = kept.get(name);
    if (!before || it['house-way']) kept.set(name, it);
  }
  return [...kept.values()];
}

/** @param {{ advice: Advice }} props */
function ValueTable({ advice }) {
  const all = toldOnce(advice.settings);
  const [open, setOpen] = useState(all.length <= FEW + 2);
  const shown = open ? all : all.slice(0, FEW);
  const best = advice.settings[0];
  return html`
    <p class="quiet">${said.valuesLead(number(advice.deals))} ${said.sameWorth}</p>
    <ol class="values">
      ${shown.map(it => {
        /** @param {number} n */
        const share = n => n / advice.deals;
        const first = it.win === best?.win && it.push === best.push;
        return html`<li class=${`value ${first ? 'value-best' : ''}`} key=${it.setting.low.join()} data-low=${it.setting.low.join(' ')}>
          <div class="value-cards">${h(Cards, { cards: it.setting.low })}<span aria-hidden="true" class="value-slash"></span>${h(Cards, { cards: it.setting.high })}</div>
          <p class="value-name">${it.setting['low-is']} <span class="quiet">/</span> ${it.setting['high-is']}
            ${first && html`<span class="mark-best">${said.best}</span>`} ${it['house-way'] && html`<span class="mark-house">${said.houseWay}</span>`}</p>
          <div class="value-odds" title=${said.counts(number(it.win), number(it.push), number(it.lose))}>
            ${h(Shares, { parts: [
              { name: said.win, kind: 'win', share: share(it.win), text: percent(share(it.win)) },
              { name: said.push, kind: 'push', share: share(it.push), text: percent(share(it.push)) },
              { name: said.lose, kind: 'lose', share: share(it.lose), text: percent(share(it.lose)) },
            ] })}
            <p class="value-figures"><span class="is-win">${said.win} ${percent(share(it.win), 1)}</span>
              <span class="is-push">${said.push} ${percent(share(it.push), 1)}</span>
              <span class="is-lose">${said.lose} ${percent(share(it.lose), 1)}</span></p>
          </div>
          <p class="value-worth"><b class=${it.value >= 0 ? 'is-win' : 'is-lose'}>${worth(it.value)}</b>
            <span class="quiet">${said.valueOf}</span></p>
        </li>`;
      })}
    </ol>
    ${!open && html`<button type="button" class="small" onClick=${() => setOpen(true)}>${said.more(all.length)}</button>`}`;
}
