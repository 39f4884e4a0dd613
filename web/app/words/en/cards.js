const ranks = {
  A: 'ace', K: 'king', Q: 'queen', J: 'jack', T: 'ten', 9: 'nine', 8: 'eight', 7: 'seven', 6: 'six', 5: 'five', 4: 'four',
  3: 'three', 2: 'two',
};
const suits = { c: 'clubs', d: 'diamonds', h: 'hearts', s: 'spades' };

export const cards = {
  joker: 'joker',
  faceDown: 'a card face down',
  /** @param {string} rank @param {string} suit */
  named: (rank, suit) => `${/** @type {any} */ (ranks)[rank]} of ${/** @type {any} */ (suits)[suit]}`,
  /** What is printed on a card. @param {string} rank */
  index: rank => (rank === 'T' ? '10' : rank),
};
