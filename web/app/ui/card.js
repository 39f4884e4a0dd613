// A card, drawn here: a large index, one colour a suit, a joker that is like no other card.
// To everyone else a card is opaque, a symbol to the type check: it is drawn, sent back, and the same as another or
// not. This file alone takes one apart, and what it finds there it neither orders nor counts.
import { html } from '../html.js';
import { words } from '../words/en.js';

/** @import { Card as OneCard } from '../types.js' */

/** A card is the text that the house sent: `Ah`, `Td`, `2c`, the joker `Jk`. @param {OneCard} card */
// eslint-disable-next-line cards/taken-for-something-else
const textOf = card => /** @type {string} */ (/** @type {unknown} */ (card));

/** The card of a text. @param {string} text */
export const cardOf = text => /** @type {OneCard} */ (/** @type {unknown} */ (text));

/** Its rank, as one letter. @param {OneCard} card */
const rankOf = card => textOf(card).slice(0, 1);

/** Its suit, as one letter. @param {OneCard} card */
const suitOf = card => /** @type {keyof typeof SUITS} */ (textOf(card).slice(1));

/** The joker. */
export const JOKER = cardOf('Jk');

/** The four suits in a box of 20 by 20. */
const SUITS = {
  c: 'M10 1.200a4.300 4.300 0 0 0-3.700 6.500 4.300 4.300 0 1 0 2.300 7.100c-.2 1.700-.8 2.800-2 4h6.800c-1.200-1.200-1.800-2.300-2-4a4.300 4.300 0 1 0 2.300-7.100A4.300 4.300 0 0 0 10 1.200z',
  d: 'M10 .8c2.100 3.600 4.400 6.500 7 9.200-2.600 2.700-4.900 5.600-7 9.200-2.100-3.600-4.400-6.500-7-9.200 2.600-2.700 4.900-5.600 7-9.200z',
  h: 'M10 18.800C7.300 15 1.300 11.500 1.300 6.700c0-2.900 2.200-5 4.700-5 1.700 0 3.200 1 4 2.700.8-1.700 2.300-2.700 4-2.700 2.500 0 4.700 2.100 4.700 5 0 4.800-6 8.300-8.700 12.100z',
  s: 'M10 1.100c2.700 3.800 8.400 6.900 8.400 11 0 2.300-1.800 4-3.900 4-1.500 0-2.700-.8-3.300-1.900.1 1.900.8 3.400 2.100 4.700H6.700c1.300-1.300 2-2.800 2.100-4.700-.6 1.100-1.800 1.900-3.300 1.900-2.100 0-3.900-1.700-3.900-4 0-4.100 5.700-7.200 8.400-11z',
};

/** A suit's sign for a line of text. */
export const SIGNS = { c: '♣', d: '♦', h: '♥', s: '♠' };

/** What a card is called. @param {OneCard} card */
export function cardName(card) {
  return card === JOKER ? words.cards.joker : words.cards.named(rankOf(card), suitOf(card));
}

/** Cards by suit, the joker first, each suit in the order in which it came. @param {OneCard[]} cards */
export function bySuit(cards) {
  const jokers = cards.filter(card => card === JOKER);
  const suits = ['s', 'h', 'c', 'd'].flatMap(suit => cards.filter(card => card !== JOKER && suitOf(card) === suit));
  return [...jokers, ...suits];
}

/** A card face without its edge. @param {OneCard} card */
function face(card) {
  if (card === JOKER) {
    return html`
      <rect class="joker-ground" x="3" y="3" width="58" height="84" rx="5" />
      <path class="joker-star" d="M32 22l6.100 13.300 14.500 1.700-10.700 9.900 2.900 14.300L32 54l-12.800 7.200 2.900-14.300L11.400 37l14.500-1.700z" />
      <circle class="joker-eye" cx="32" cy="42" r="5.500" />
      <text class="joker-word" x="32" y="16" text-anchor="middle">JOKER</text>
      <text class="joker-word" x="32" y="81" text-anchor="middle">JOKER</text>`;
  }
  const suit = suitOf(card);
  const rank = words.cards.index(rankOf(card));
  return html`
    <g class=${`suit-${suit}`}>
      <text class=${rank === '10' ? 'index wide' : 'index'} x="6" y="29">${rank}</text>
      <path d=${SUITS[suit]} transform="translate(6 35) scale(.85)" />
      <path d=${SUITS[suit]} transform="translate(25 50) scale(1.700)" />
    </g>`;
}

function back() {
  return html`
    <rect class="back-ground" x="4" y="4" width="56" height="82" rx="4" />
    <path class="back-lines" d="M4 24L24 4M4 44L44 4M4 64L60 8M6 82L60 28M20 86L60 48M40 86L60 68M4 66l20 20M4 46l40 40M4 26l56 56M6 8l54 54M20 4l40 38M40 4l20 18" />
    <path class="back-mark" d="M32 30l11 15-11 15-11-15z" />`;
}

/**
 * A card. Nothing is known of one that lies face down.
 * @param {{ card?: OneCard | null, class?: string, label?: boolean }} props `label: false` where a button around it is
 *   named after the card already
 */
export function Card({ card, class: name = '', label = true }) {
  const text = card ? cardName(card) : words.cards.faceDown;
  return html`<svg class=${`card ${card ? 'up' : 'down'} ${name}`} viewBox="0 0 64 90" data-card=${card ?? ''}
      role=${label ? 'img' : undefined} aria-label=${label ? text : undefined} aria-hidden=${label ? undefined : 'true'}>
    <rect class="card-edge" x=".5" y=".5" width="63" height="89" rx="7" />
    ${card ? face(card) : back()}
  </svg>`;
}
