// Comparisons of cards as nobody may write them in the client, planted to show that the types find them: a card is a
// symbol to them. Each is marked as a mistake; a mark where nothing is found is a mistake itself. Nothing here is served.

/** @import { Card } from '../app/types.js' */

/** @param {Card} card @param {Card} other @param {Card[]} cards */
export const typed = (card, other, cards) => [
  // @ts-expect-error
  card < other,
  // @ts-expect-error
  card >= 'Kd',
  // @ts-expect-error
  card - other,
  // @ts-expect-error
  +card,
  // @ts-expect-error
  card.slice(0, 1),
  // @ts-expect-error
  card[0],
  // @ts-expect-error
  [...card],
  // @ts-expect-error
  `${card}`,
  // @ts-expect-error
  card + '',
  // @ts-expect-error
  '23456789TJQKA'.indexOf(card),
  // @ts-expect-error
  parseInt(card, 10),
  // @ts-expect-error
  { A: 14, K: 13 }[card],
  // @ts-expect-error
  cards.toSorted((a, b) => a - b),
  // @ts-expect-error
  cards.toSorted((a, b) => a.localeCompare(b)),
  // @ts-expect-error
  cards.toSorted((a, b) => (a < b ? -1 : 1)),
  // @ts-expect-error
  Math.max(...cards),
  // @ts-expect-error
  /** @type {string} */ (card),
];
