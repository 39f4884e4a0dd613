// Cards by text and by a grid of all 53. Nothing here knows what a card is worth.
import { h } from 'preact';
import { html } from '../html.js';
import { words } from '../words/en.js';
import { Card, JOKER, SIGNS, cardName, cardOf } from './card.js';

/** @import { Card as OneCard } from '../types.js' */

const RANKS = [...'AKQJT98765432'];
const SUITS = /** @type {const} */ (['s', 'h', 'd', 'c']);

/** Every card there is. */
export const ALL = [...SUITS.flatMap(suit => RANKS.map(rank => cardOf(rank + suit))), JOKER];

/** How people write a card. */
const WRITTEN = /10\s?[cdhs♣♦♥♠]|[2-9tjqka]\s?[cdhs♣♦♥♠]|joker|jk|@/gi;

/** The card, however it is written. @param {string} written */
function plain(written) {
  if (/^(joker|jk|@)$/i.test(written)) return JOKER;
  const text = written.replace(/\s/g, '').replace('10', 'T');
  const sign = text.slice(1).toLowerCase();
  const suit = SUITS.find(it => SIGNS[it] === sign) ?? sign;
  return cardOf(text.slice(0, 1).toUpperCase() + suit);
}

/**
 * The cards of a text, and what is wrong with it.
 * @param {string} text
 * @returns {{ cards: OneCard[], wrong: string | null }}
 */
export function read(text) {
  const cards = (text.match(WRITTEN) ?? []).map(plain);
  const rest = text.replace(WRITTEN, ' ').replace(/[,;\s/-]+/g, ' ').trim();
  const twice = cards.find((card, at) => cards.slice(0, at).includes(card));
  const wrong = rest ? words.lookUp.notRead(rest)
    : twice ? words.lookUp.twice(cardName(twice))
    : cards.length > 7 ? words.lookUp.tooMany(cards.length)
    : null;
  return { cards: [...new Set(cards)], wrong };
}

/**
 * All cards to tap on. Arrow keys go from one to the next.
 * @param {{ chosen: OneCard[], onToggle: (card: OneCard) => void }} props
 */
export function Picker({ chosen, onToggle }) {
  const full = chosen.length >= 7;
  /** @param {KeyboardEvent} event */
  const move = event => {
    const steps = /** @type {Record<string, number>} */ ({
      ArrowLeft: -1, ArrowRight: 1, ArrowUp: -RANKS.length, ArrowDown: RANKS.length,
    });
    const step = steps[event.key];
    const button = event.target instanceof Element && event.target.closest('button');
    if (step === undefined || !button) return;
    event.preventDefault();
    const all = [...(button.closest('.picker')?.querySelectorAll('button') ?? [])];
    all[Math.min(all.length - 1, Math.max(0, all.indexOf(button) + step))]?.focus();
  };
  /** @param {OneCard} card @param {string} kind @param {import('preact').VNode | string} sign */
  const one = (card, kind, sign) => {
    const taken = chosen.includes(card);
    return html`<button type="button" class=${`pick pick-${kind}`} key=${card} data-pick=${card}
        aria-pressed=${taken} aria-disabled=${full && !taken}
        onClick=${() => (full && !taken) || onToggle(card)}>
      ${sign}
    </button>`;
  };
  /** @param {string} rank @param {typeof SUITS[number]} suit */
  const suited = (rank, suit) => {
    const card = cardOf(rank + suit);
    return one(card, suit, html`<span class="only-read">${cardName(card)}</span>
      <b aria-hidden="true">${words.cards.index(rank)}</b><i aria-hidden="true">${SIGNS[suit]}</i>`);
  };
  return html`<div class="picker" role="group" aria-label=${words.lookUp.tapped} onKeyDown=${move}>
    ${SUITS.map(suit => html`<div class="pick-row" role="group" key=${suit} aria-label=${words.lookUp.suits[suit]}>
      ${RANKS.map(rank => suited(rank, suit))}
    </div>`)}
    <div class="pick-row pick-last">${one(JOKER, 'joker', words.lookUp.joker)}</div>
  </div>`;
}

/** The chosen cards, each to be taken away again. @param {{ chosen: OneCard[], onTake: (card: OneCard) => void }} props */
export function Chosen({ chosen, onTake }) {
  return html`<div class="chosen">
    ${Array.from({ length: 7 }, (_, at) => chosen[at]).map((card, at) => card
      ? html`<button type="button" class="chosen-card" key=${card}
          onClick=${() => onTake(card)}><span class="only-read">${words.lookUp.take(cardName(card))}</span>${h(Card, { card, label: false })}</button>`
      : html`<span class="chosen-empty" key=${`empty-${at}`}></span>`)}
  </div>`;
}
