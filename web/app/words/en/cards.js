/** Spoken as they are printed: whoever says what they see is understood. @type {Record<string, string>} */
const ranks = { A: 'ace', K: 'king', Q: 'queen', J: 'jack', T: '10' };
/** @type {Record<string, string>} */
const suits = { c: 'clubs', d: 'diamonds', h: 'hearts', s: 'spades' };

export const cards = {
  joker: 'joker',
  faceDown: 'a card face down',
  /** @param {string} rank @param {string} suit */
  named: (rank, suit) => `${ranks[rank] ?? rank} of ${suits[suit]}`,
  /** Hands that the Fortune Bonus pays. */
  bonusHands: {
    'seven-card-straight-flush': 'seven-card straight flush, natural',
    'royal-match': 'royal match',
    'seven-card-straight-flush-joker': 'seven-card straight flush with joker',
    'five-aces': 'five aces',
    'royal-flush': 'royal flush',
    'straight-flush': 'straight flush',
    'four-of-a-kind': 'four of a kind',
    'full-house': 'full house',
    flush: 'flush',
    'three-of-a-kind': 'three of a kind',
    straight: 'straight',
  },
  /** What is printed on a card. @param {string} rank */
  index: rank => (rank === 'T' ? '10' : rank),
};
