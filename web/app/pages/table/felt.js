// The felt: a horseshoe with the banker on top and the seats around it.
import { h } from 'preact';
import { html } from '../../html.js';
import { gain, money } from '../../format.js';
import { Card } from '../../ui/card.js';
import { Chips } from '../../ui/chips.js';
import { words } from '../../words/en.js';
import { key, offers, setHands, useNames } from './play.js';
import { gainsOf } from './results.js';
import { sitDown } from './seating.js';

/** @import { Bank, Card as OneCard, HandView, InWords, PastView, SeatView, Stakes } from '../../types.js' */
/** @import { Play } from './play.js' */

const text = words.table;

/** @typedef {'standard' | 'fortune' | 'tiger-nine'} Wager */

/** The bets that this table has. @param {Play} play @returns {Wager[]} */
export function wagersOf({ info }) {
  /** @type {Wager[]} */
  const all = ['standard', 'fortune'];
  return info?.posted['tiger-nine'] ? [...all, 'tiger-nine'] : all;
}

/** What lies on a bet. @param {Stakes} stakes @param {Wager} wager */
export const staked = (stakes, wager) => (stakes[wager] ?? []).reduce((sum, share) => sum + share.amount, 0);

/** A finished round lies on the felt until the next one opens. @param {Play} play @returns {PastView | null} */
export const shownPast = ({ view }) => (view.phase.name === 'idle' ? view.last : null);

/** @param {{ play: Play, bank: Bank | null }} props `bank` is that of the round that lies there */
export function Felt({ play, bank }) {
  const { view } = play;
  const past = shownPast(play);
  const banker = past ? past.banker : view.banker;
  const house = past ? past.house : view.house;
  const byPlayer = bank?.banker === 'player' ? bank : null;
  const names = useNames(play.id, setHands([banker, house]));
  const round = past?.round ?? view.round;
  return html`<div class="felt" style=${{ '--seats': view.seats.length }}>
    <div class="felt-top">
      <div class="banker">
        <p class="banker-name">${bankerName(play, byPlayer)}
          ${byPlayer && html`<span class="banker-money">${text.putUp(money(byPlayer['put-up']))}</span>`}</p>
        ${h(Hand, { hand: banker, names, large: true, key: round })}
      </div>
      ${house && html`<div class="banker house-hand">
        <p class="banker-name">${text.houseHand}</p>
        ${h(Hand, { hand: house, names, large: false, key: round })}
      </div>`}
    </div>
    <ol class="seats">
      ${view.seats.map(seat => h(Seat, { play, seat, past, banks: byPlayer?.position === seat.position, key: seat.position }))}
    </ol>
    <p class="felt-name" aria-hidden="true">${play.info ? words.lobby.houses[play.info.rules]?.name ?? play.update.name : ''}</p>
  </div>`;
}

/** @param {Play} play @param {{ person: number } | null} byPlayer */
function bankerName(play, byPlayer) {
  if (!byPlayer) return text.dealer;
  return byPlayer.person === play.you?.person ? text.youBank : text.banks(play.nameOf(byPlayer.person));
}

/** A hand in its two boxes. @param {{ hand: HandView | null | undefined, names: Map<string, InWords>, large: boolean }} props */
export function Hand({ hand, names, large }) {
  if (!hand) return html`<div class=${`hand ${large ? 'large' : ''} empty`}>${boxes([], [])}</div>`;
  if (hand.cards === 'dealt') {
    return html`<div class=${`hand ${large ? 'large' : ''}`}>${boxes([], hand.dealt)}</div>`;
  }
  if (hand.cards === 'face-down') {
    const backs = Array.from({ length: 7 }, () => null);
    return html`<div class=${`hand down ${large ? 'large' : ''} ${hand.set ? 'is-set' : ''}`}>
      ${hand.set ? boxes(backs.slice(0, 2), backs.slice(2)) : boxes([], backs)}
    </div>`;
  }
  const named = names.get(key(hand.low));
  return html`<div class=${`hand up ${large ? 'large' : ''}`}>
    ${boxes(hand.low, hand.high)}
    ${large && html`<p class="hand-names">${named && html`<b>${text.high}</b> ${named['high-is']} <b>${text.low}</b> ${named['low-is']}`}</p>`}
  </div>`;
}

/** @param {(OneCard | null)[]} low @param {(OneCard | null)[]} high */
function boxes(low, high) {
  /** @param {string} name @param {string} letter @param {(OneCard | null)[]} cards @param {number} from */
  const box = (name, letter, cards, from) => html`<div class=${`box ${name}`}>
    <span class="box-letter" aria-hidden="true">${letter}</span>
    ${cards.map((card, at) => html`<span class="in-box" style=${{ '--at': from + at }} key=${card ?? at}>${h(Card, { card, label: card !== null })}</span>`)}
  </div>`;
  return [box('low', text.l, low, 0), box('high', text.h, high, low.length)];
}

/** @param {{ play: Play, seat: SeatView, past: PastView | null, banks: boolean }} props */
function Seat({ play, seat, past, banks }) {
  const { view, you, update } = play;
  const own = seat.person !== null && seat.person === you?.person;
  const hand = past ? past.hands.find(([at]) => at === seat.position)?.[1] ?? null : seat.hand;
  const sit = offers(view, 'sit').find(offer => offer.position === seat.position);
  const ready = seat.person !== null && update.ready.includes(seat.person) && view.phase.name !== 'idle';
  const gained = past && seat.person !== null ? gainsOf(past.lines, seat.position) : null;
  // One's own cards stay in sight when they are given up.
  const givenUp = play.happened.some(it => it.event === 'conceded' && it.position === seat.position);
  const state = givenUp ? text.conceded : hand?.cards === 'face-down'
    ? hand.conceded ? text.conceded : seat['left-to-dealer'] ? text.leftToDealer : hand.set ? text.set : text.thinking
    : '';
  return html`<li class=${`seat ${own ? 'own' : ''} ${seat.person === null ? 'free' : ''} ${banks ? 'banks' : ''}`}
      style=${{ '--place': seat.position - 1 }} data-position=${seat.position}>
    <div class="seat-marks">
      ${view.action === seat.position && html`<span class="mark-action" title=${text.actionSays}>${text.action}</span>`}
      ${banks && html`<span class="mark-action" title=${text.bankerSays}>${text.banker}</span>`}
      ${view.button === seat.position && !banks && html`<span class="mark-bank" title=${text.buttonSays}>${text.button}</span>`}
      ${seat.envy && html`<span class="mark-envy" title=${text.envySays}>${text.envy}</span>`}
    </div>
    ${h(Hand, { hand, names: new Map(), large: false, key: past?.round ?? view.round })}
    <div class="circles">
      ${wagersOf(play).map(wager => h(Circle, { play, seat, past, wager, key: wager }))}
    </div>
    ${sit && seat.person === null
      ? html`<button type="button" class="seat-sit small" onClick=${() => sitDown(play, seat.position)}>
          ${play.seats.length > 0 ? text.alsoSit : text.sit}</button>`
      : html`<p class="seat-name">
          <span class="seat-who">${seat.person === null ? text.free : play.nameOf(seat.person)}</span>
          ${seat.stack !== null && html`<span class="seat-stack">${money(seat.stack)}</span>`}
        </p>`}
    ${state && html`<p class="seat-state">${state}</p>`}
    ${ready && !state && html`<p class="seat-state">✓</p>`}
    ${gained !== null && gained.any && html`<p class=${`seat-gain ${gained.total > 0 ? 'won' : gained.total < 0 ? 'lost' : ''}`}>
      ${gain(gained.total)}</p>`}
    <span class="only-read">${text.position(seat.position)}</span>
  </li>`;
}

/** A wager's circle. @param {{ play: Play, seat: SeatView, past: PastView | null, wager: Wager }} props */
function Circle({ seat, past, wager }) {
  const amount = past
    ? past.lines.filter(line => line.position === seat.position && line.bet === wager).reduce((sum, line) => sum + line.stake, 0)
    : staked(seat.stakes, wager);
  const label = text.wagers[wager];
  return html`<span class=${`circle ${wager} ${amount > 0 ? 'laid' : ''}`} title=${label}>
    ${amount > 0 ? h(Chips, { amount, label }) : html`<span class="circle-name" aria-hidden="true">${text.shortWagers[wager]}</span>`}
  </span>`;
}
