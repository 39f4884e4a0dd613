// Placing wagers: what one had last time is proposed again, and one button places it and has the cards dealt.
import { h } from 'preact';
import { useState } from 'preact/hooks';
import { html } from '../../html.js';
import { money } from '../../format.js';
import { chipSound } from '../../sound.js';
import { words } from '../../words/en.js';
import { staked, wagersOf } from './felt.js';
import { offers } from './play.js';

/** @import { Wager } from './felt.js' */
/** @import { Play } from './play.js' */
/** @import { Offer } from '../../types.js' */

const text = words.table;

/** @typedef {Pick<Extract<Offer, { do: 'place' }>, 'position' | 'wager' | 'least' | 'most' | 'step'>} Place */

/**
 * The wagers that can be chosen at a position: those that are offered, and beside them those that are offered once
 * another is placed. Of these the table's limits are known, and the house has the last word.
 * @param {Play} play
 * @param {number} position
 * @returns {Place[]}
 */
function choices(play, position) {
  const offered = offers(play.view, 'place').filter(offer => offer.position === position && (offer.person ?? null) === null);
  if (offered.length === 0) return [];
  return wagersOf(play).flatMap(wager => {
    const offer = offered.find(it => it.wager === wager);
    const range = play.info?.posted[wager];
    if (offer) return [offer];
    return range ? [{ position, wager, least: range.minimum, most: range.maximum, step: range.minimum }] : [];
  });
}

/** What was wagered last, by bet, for as long as this page is open. @type {Map<Wager, number>} */
const before = new Map();

/** What is proposed for a bet. @param {Place} offer */
function proposed(offer) {
  const last = before.get(offer.wager) ?? (offer.wager === 'standard' ? offer.least : 0);
  return last === 0 ? 0 : Math.min(Math.max(last, offer.least), offer.most);
}

/** @param {{ play: Play }} props */
export function Wagers({ play }) {
  const { seats, ask, update } = play;
  const places = seats.flatMap(seat => choices(play, seat.position));
  const [chosen, setChosen] = useState(/** @type {Record<string, number>} */ ({}));
  const [busy, setBusy] = useState(false);
  const ready = play.you !== null && update.ready.includes(play.you.person);
  /** @param {Place} offer */
  const amountOf = offer => chosen[`${offer.position} ${offer.wager}`] ?? proposed(offer);
  /** @param {Place} offer */
  const thereOf = ({ position, wager }) => staked(seats.find(seat => seat.position === position)?.stakes ?? {}, wager);
  const changed = places.some(offer => amountOf(offer) !== thereOf(offer));
  const condition = play.rules?.choices.find(choice => choice.about === 'Fortune Bonus paid')?.is;
  const total = places.reduce((sum, offer) => sum + amountOf(offer), 0);

  const place = async () => {
    setBusy(true);
    chipSound();
    let done = true;
    for (const offer of places) {
      const { position, wager } = offer;
      const amount = amountOf(offer);
      before.set(wager, amount);
      if (amount === thereOf(offer)) continue;
      done &&= amount > 0
        ? await ask({ do: 'place', position, wager, amount })
        : await ask({ do: 'withdraw', position, wager });
    }
    if (done && !ready) await ask({ do: 'ready' });
    setBusy(false);
  };

  return html`<div class="panel wagers">
    <div class="panel-head"><h2>${text.bet}</h2><p class="quiet">${text.betSays(condition)}</p></div>
    <div class="wager-rows">
      ${places.map(offer => h(Row, {
        offer, several: seats.length > 1, amount: amountOf(offer), key: `${offer.position} ${offer.wager}`,
        choose: amount => setChosen({ ...chosen, [`${offer.position} ${offer.wager}`]: amount }),
      }))}
    </div>
    <div class="panel-do">
      <button type="button" class="first large" id="deal" disabled=${busy || ready && !changed} onClick=${place}>
        ${text.deal(money(total))}</button>
      <p class="quiet">${ready ? text.dealt : total === 0 ? text.sitOut : text.change}</p>
    </div>
    ${h(Shared, { play })}
  </div>`;
}

/** @param {{ offer: Place, several: boolean, amount: number, choose: (amount: number) => void }} props */
function Row({ offer, several, amount, choose }) {
  const { wager, least, most, step } = offer;
  const id = `wager-${offer.position}-${wager}`;
  const optional = wager !== 'standard';
  const down = amount <= least ? (optional ? 0 : least) : Math.max(least, amount - step);
  const up = amount === 0 ? least : Math.min(most, amount + step);
  const quick = [1, 2, 5, 10].map(times => times * least).filter(it => it <= most && it % step === 0);
  return html`<div class="wager-row" data-wager=${wager}>
    <label class="wager-name" for=${id}>${text.wagers[wager]}${several ? `, ${text.position(offer.position)}` : ''}
      <span class="quiet">${text.limits(money(least), money(most))}</span></label>
    <div class="stepper">
      <button type="button" aria-label=${`${text.less}: ${text.wagers[wager]}`} disabled=${amount === down} onClick=${() => choose(down)}>−</button>
      <output id=${id} class=${amount === 0 ? 'quiet' : ''}>${amount === 0 ? text.none : money(amount)}</output>
      <button type="button" aria-label=${`${text.more}: ${text.wagers[wager]}`} disabled=${amount === up} onClick=${() => choose(up)}>+</button>
    </div>
    <div class="quick">
      ${optional && html`<button type="button" class=${`small ${amount === 0 ? 'chosen' : ''}`} onClick=${() => choose(0)}>${text.none}</button>`}
      ${quick.map(it => html`<button type="button" key=${it} class=${`small ${amount === it ? 'chosen' : ''}`} onClick=${() => choose(it)}>${money(it)}</button>`)}
    </div>
  </div>`;
}

/** Where the rules let one bet on another seat's hand. @param {{ play: Play }} props */
function Shared({ play }) {
  const { view, seats, ask } = play;
  const own = seats.map(seat => seat.position);
  const places = offers(view, 'place').filter(offer => !own.includes(offer.position) && (offer.person ?? null) === null);
  const backs = offers(view, 'withdraw').filter(offer => !own.includes(offer.position));
  const [at, setAt] = useState(0);
  const offer = places[Math.min(at, places.length - 1)];
  if (!offer) return null;
  const { position, wager, least } = offer;
  return html`<details class="shared">
    <summary>${text.shared}</summary>
    <div class="shared-do">
      <label>${text.sharedWhere} <select onChange=${(/** @type {Event} */ event) =>
          setAt(/** @type {HTMLSelectElement} */ (event.currentTarget).selectedIndex)}>
        ${places.map(it => html`<option key=${`${it.position} ${it.wager}`}>${text.position(it.position)}, ${text.wagers[it.wager]}</option>`)}
      </select></label>
      <button type="button" onClick=${() => ask({ do: 'place', position, wager, amount: least })}>${text.sharedPlace}: ${money(least)}</button>
      ${backs.map(it => html`<button type="button" key=${`${it.position} ${it.wager}`}
        onClick=${() => ask({ do: 'withdraw', position: it.position, wager: it.wager })}>
        ${text.takeBack}: ${text.position(it.position)}, ${text.wagers[it.wager]}</button>`)}
    </div>
  </details>`;
}
