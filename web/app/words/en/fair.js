export const fair = {
  title: 'Check a proof',
  intro: 'The house fixes the order of the cards before the first wager and publishes a hash of it, the commitment. Afterwards it proves every card that was shown. The proof is checked here, in your browser, by code that you can read.',
  code: 'Read the code that checks it',
  paste: 'The proof',
  pasteHint: 'Paste the JSON document here, or open a file.',
  open: 'Open a file',
  commitment: 'The commitment that you noted (optional)',
  commitmentHint: '64 digits, published before the first wager. Your browser notes them by itself at the table; the page of a round holds its proof against them.',
  check: 'Check',
  checking: 'Checking…',
  proved: 'The proof holds',
  notProved: 'The proof does not hold',
  /** @param {number} count */
  cards: count => (count === 0
    ? 'No card is opened: this proves no more than the commitment and the cut.'
    : count === 1
      ? 'One card leads to the commitment.'
      : `${count} cards lead to the commitment, each at its place in the deck.`),
  whole: 'The seed gives the whole deck: it is a shuffle of all 53 cards, and it leads to the commitment.',
  /** @param {number} number */
  number: number => `The number, ${number}, leads to the commitment.`,
  uncut: 'Nobody said words, so the deck was not cut.',
  /** @param {number} count @param {number} places */
  cut: (count, places) => `${count === 1 ? 'The words that were said cut' : `The words of ${count} people cut`} the deck by ${places === 1 ? '1 place' : `${places} places`}.`,
  asNoted: 'The commitment is the one that this browser noted while bets were open.',
  asGiven: 'The commitment is the one that you gave.',
  notGiven: 'Whether the commitment is the one that was published before the first wager is for you to see.',
  notNoted: 'This browser did not see the commitment before the cards were dealt. Hold it against the one you noted yourself.',
  /** @param {string} table @param {string} round */
  deal: (table, round) => `Table ${table}, round ${round}`,
  labels: { deal: 'Deal', commitment: 'Commitment', words: 'Words', cards: 'Cards by their places in the deck' },
  /** @param {string} who @param {string} said */
  said: (who, said) => `${who}: “${said}”`,
  nobody: 'Nobody said any',
  /** @param {string} at */
  where: at => `Where: ${at}`,
  /** Why a proof does not hold; `is` is what is there or would be right. @type {Record<string, (is: string) => string>} */
  why: {
    'not-json': () => 'This is no JSON document of the kind that proofs are.',
    twice: () => 'A field is there twice.',
    'no-object': () => 'There should be an object here.',
    missing: () => 'A field is missing.',
    unknown: () => 'No proof has such a field.',
    'no-number': is => `There should be a whole number here, ${is}.`,
    'no-hash': () => 'There should be 64 lower-case hexadecimal digits here.',
    'no-text': () => 'There should be a text here, of 1 to 256 bytes where it is words.',
    'no-list': () => 'There should be a list here.',
    'no-path': () => 'A path has six hashes.',
    'no-card': is => `“${is}” is no card.`,
    'card-twice': is => `${is} is opened twice.`,
    'other-form': is => `This is no proof of the form ${is}.`,
    'not-published': () => 'The commitment is not the one that was published before the first wager.',
    'other-words': () => 'The words have another digest: they are not those that the deck was cut by.',
    'other-cut': is => `The words give another cut: ${is}.`,
    'no-evidence': () => 'There must be either opened cards or a seed.',
    'other-deck': () => 'The seed gives another deck than the one that was committed to.',
    'not-committed': is => `${is} does not lead to the commitment: another card was fixed at this place.`,
    'number-not-committed': is => `The number ${is} does not lead to the commitment.`,
    'nothing-opened': () => 'Nothing is opened.',
    'other-number': is => `The number that was drawn follows as ${is}.`,
  },
};
