// Ways around the types, planted to show that the lints find them wherever they are written. Each lint is turned off in
// one line; where it finds nothing to turn off, that is a mistake itself.

/** @import { Card } from '../app/types.js' */

/** @param {Card} card @param {Card[]} cards */
export const linted = (card, cards) => [
  // eslint-disable-next-line no-restricted-syntax
  cards.indexOf(card),
  // eslint-disable-next-line no-restricted-syntax
  cards.findIndex(it => it === card),
  // eslint-disable-next-line no-restricted-syntax
  String(card),
  // eslint-disable-next-line no-restricted-syntax
  Number(card),
  // eslint-disable-next-line no-restricted-syntax
  card.toString(),
  // eslint-disable-next-line cards/taken-for-something-else
  /** @type {string} */ (/** @type {unknown} */ (card)),
  // eslint-disable-next-line cards/taken-for-something-else
  /** @type {any} */ (card).slice(0, 1),
];
