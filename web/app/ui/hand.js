// A hand as one may see it, and the whole table in small.
import { h } from 'preact';
import { html } from '../html.js';
import { money } from '../format.js';
import { Card } from './card.js';
import { words } from '../words/en.js';

/** @import { Bank, HandView, Stakes, TableView } from '../types.js' */
/** @import { Names } from './told.js' */

const SEVEN = [1, 2, 3, 4, 5, 6, 7];

/** @param {{ hand: HandView }} props */
export function Hand({ hand }) {
  if (hand.cards === 'set') {
    return html`<div class="hand set">
      <span class="only-read">${words.events.low}</span>
      <div class="fan low">${hand.low.map(card => h(Card, { card, key: card }))}</div>
      <span class="only-read">${words.events.high}</span>
      <div class="fan high">${hand.high.map(card => h(Card, { card, key: card }))}</div>
    </div>`;
  }
  if (hand.cards === 'dealt') {
    return html`<div class="hand"><div class="fan seven">${hand.dealt.map(card => h(Card, { card, key: card }))}</div></div>`;
  }
  const text = hand.conceded ? words.events.conceded : hand.set ? words.events.isSet : words.events.notSet;
  return html`<div class=${`hand ${hand.set ? 'set' : ''}`} role="img" aria-label=${`${words.events.faceDown}. ${text}`}>
    ${(hand.set ? [SEVEN.slice(0, 2), SEVEN.slice(2)] : [SEVEN]).map(row => html`<div class=${row.length === 7 ? 'fan seven' : 'fan'} key=${row.length}>
      ${row.map(at => h(Card, { card: null, label: false, key: at }))}</div>`)}
  </div>`;
}

/** How a hand stands, in a word. @param {HandView | null} hand */
export function standing(hand) {
  if (!hand) return '';
  if (hand.cards === 'set') return hand.how ? words.events.hows[hand.how] : '';
  if (hand.cards === 'dealt') return words.events.notSet;
  return hand.conceded ? words.events.conceded : hand.set ? words.events.isSet : words.events.notSet;
}

/** What lies at a seat, bet by bet. @param {{ stakes: Stakes }} props */
function Wagers({ stakes }) {
  const all = Object.entries(stakes).filter(([, shares]) => shares && shares.length > 0);
  return html`<ul class="wagers">
    ${all.map(([wager, shares]) => html`<li key=${wager}>
      <span>${words.events.wagers[/** @type {keyof typeof words.events.wagers} */ (wager)]}</span>
      <b>${money((shares ?? []).reduce((sum, share) => sum + share.amount, 0))}</b>
    </li>`)}
  </ul>`;
}

/**
 * The table in small: who sits where, with what, and every card that may be seen.
 * @param {{ view: TableView, round: number, bank: Bank | null, names: Names, label: string,
 *   named?: boolean }} props once the round is over, its hands are those that were shown at its end; `named` tells who
 *   sits where
 */
export function Board({ view, round, bank, names, label, named = false }) {
  const past = view.last?.round === round ? view.last : null;
  const held = past?.bank ?? bank;
  const player = held?.banker === 'player' ? held.position : null;
  const banker = past?.banker ?? view.banker;
  const house = past?.house ?? view.house;
  const seats = view.seats.map(seat => ({
    ...seat, hand: seat.hand ?? past?.hands.find(([at]) => at === seat.position)?.[1] ?? null,
  }));
  const empty = seats.filter(seat => seat.person === null && !seat.hand).map(seat => seat.position);
  return html`<div class="board" role="group" aria-label=${label}>
    <p class="board-phase"><span>${past ? words.events.over : words.events.phases[view.phase.name]}</span>
      ${empty.length > 0 && html`<span>${words.events.emptySeats(empty)}</span>`}</p>
    <div class="board-bank">
      ${banker && html`<figure class="board-hand">
        <figcaption>${held?.banker === 'house' ? words.history.dealerHand : words.history.bankerHand}</figcaption>
        ${h(Hand, { hand: banker })}
      </figure>`}
      ${house && html`<figure class="board-hand">
        <figcaption>${words.history.houseHand}</figcaption>${h(Hand, { hand: house })}
      </figure>`}
    </div>
    <ul class="board-seats">
      ${seats.filter(seat => !empty.includes(seat.position)).map(seat => html`<li key=${seat.position} class="board-seat"
          data-seat=${seat.position}>
        <div class="board-seat-name">
          <b>${names.seat(seat.position)}</b>
          <span>${seat.stack === null ? '' : money(seat.stack)}</span>
        </div>
        ${named && seat.person !== null && html`<p class="board-who">${names.person(seat.person)}</p>`}
        ${seat.hand && h(Hand, { hand: seat.hand })}
        <p class="board-standing">${seat.position === player ? words.events.banker : standing(seat.hand)}</p>
        ${h(Wagers, { stakes: seat.stakes })}
      </li>`)}
    </ul>
  </div>`;
}
