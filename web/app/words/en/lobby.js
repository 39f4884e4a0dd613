export const lobby = {
  heading: 'Sit down and play',
  lead: 'Fortune Pai Gow Poker with play money. Seven cards: five go High, two go Low. Beat the dealer with both.',
  playNow: 'Play now',
  playing: 'Setting up your table…',
  choose: 'Choose the house rules',
  /** @type {Record<string, { name: string, says: string }>} One plain sentence on each house. */
  houses: {
    'mbs-2020': {
      name: 'Marina Bay, 2020',
      says: 'The house banks and keeps 5% of a win. The best place to begin: you may give a hand up, and every mishap has its rule.',
    },
    'mbs-2016': {
      name: 'Marina Bay, 2016',
      says: 'The earlier edition: the house banks and keeps 5% of a win; no giving up.',
    },
    'cardroom': {
      name: 'California card room',
      says: 'Players take turns as the bank. No commission: the banker pays a small rake. A bonus must beat the banker’s.',
    },
    'commission-free': {
      name: 'Commission free',
      says: 'Players bank. No commission, but when the banker’s Low hand is 9-high everyone pushes. Tiger 9 bets on exactly that.',
    },
    'catfish-bend': {
      name: 'Catfish Bend',
      says: 'The house banks until you take the button. $5 on the bonus waives the commission and makes you envious.',
    },
  },
  readRules: 'Read the rules',
  table: 'Your table',
  bots: 'Bots at the other seats',
  stakes: 'Stakes',
  /** @param {string} least @param {string} most */
  range: (least, most) => `${least} to ${most}`,
  pace: 'Pace',
  paces: { calm: 'Calm', usual: 'Usual' },
  who: 'Who may come',
  whos: { friends: 'Friends with the link', everyone: 'Everyone' },
  open: 'Open this table',
  tables: 'Tables for everyone',
  none: 'No table is open to everyone just now. Open one above: the others will find it here.',
  join: 'Join',
  watch: 'Watch',
  full: 'Full',
  /** @param {string} why */
  closed: why => `Closed: “${why}”`,
  /** @param {number} people @param {number} bots @param {number} seats */
  seated: (people, bots, seats) => {
    const parts = [people === 1 ? '1 person' : `${people} people`];
    if (bots > 0) parts.push(bots === 1 ? '1 bot' : `${bots} bots`);
    return `${parts.join(', ')} of ${seats} seats`;
  },
  /** @param {number} round */
  round: round => (round === 0 ? 'not begun' : `round ${round}`),
  newcomer: 'Never played?',
  newcomerSays: 'The table tells you what to do at each step, names your hands as you set them and warns you before a mistake.',
};
