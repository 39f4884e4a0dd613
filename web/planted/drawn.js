// What may not be written where a card is taken apart to be drawn and named, planted to show that the lints find it.
// Each lint is turned off in one line; where it finds nothing to turn off, that is a mistake itself.

/** @param {string} rank @param {string} other @param {string[]} ranks */
export const drawn = (rank, other, ranks) => [
  // eslint-disable-next-line no-restricted-syntax
  rank < other,
  // eslint-disable-next-line no-restricted-syntax
  ranks.indexOf(rank),
  // eslint-disable-next-line no-restricted-syntax
  ranks.toSorted(),
  // eslint-disable-next-line no-restricted-syntax
  rank.charCodeAt(0),
  // eslint-disable-next-line no-restricted-syntax
  rank.localeCompare(other),
  // eslint-disable-next-line no-restricted-syntax
  Number(rank),
  // eslint-disable-next-line no-restricted-syntax
  +rank,
];
