/** @param {number} n @param {string} one @param {string} many */
const counted = (n, one, many) => (n === 1 ? `1 ${one}` : `${n} ${many}`);

export const table = {
  loading: 'Walking to the table…',
  missing: 'There is no such table. It may have been closed.',
  /** @param {number} n */
  round: n => `Round ${n}`,
  /** @param {number} n */
  position: n => `Seat ${n}`,
  free: 'Free',
  you: 'You',
  dealer: 'Dealer',
  house: 'The house',
  banker: 'Banker',
  /** @param {string} name */
  banks: name => `${name} banks`,
  youBank: 'You bank',
  /** @param {string} amount */
  putUp: amount => `${amount} put up`,
  houseHand: 'The house’s own hand',
  action: 'Action',
  actionSays: 'The Action button: settlement begins here.',
  bankerSays: 'This seat holds the bank.',
  button: 'Next bank',
  buttonSays: 'The bank is offered here next.',
  envy: 'Envy',
  envySays: 'This Fortune Bonus wager is paid for other seats’ great hands.',
  high: 'High',
  low: 'Low',
  h: 'H',
  l: 'L',
  set: 'Set',
  leftToDealer: 'Left to the dealer',
  conceded: 'Given up',
  thinking: 'Thinking',
  wagers: { 'standard': 'Wager', 'fortune': 'Fortune Bonus', 'tiger-nine': 'Tiger 9' },
  shortWagers: { 'standard': 'Bet', 'fortune': 'Fortune', 'tiger-nine': 'Tiger 9' },

  cut: {
    say: 'Cut the deck',
    saySays: 'The deck is shuffled, and what it is committed to is published. Say anything before bets close: your words cut it, '
      + 'so nobody could have laid it out for you. The last words count.',
    words: 'Your words',
    doSay: 'Cut',
    /** @param {number} people */
    own: people => (people === 1 ? 'Your words cut the deck' : `Your words are among the ${people} that cut the deck`),
    /** @param {number} people */
    others: people => `The words of ${counted(people, 'person', 'people')} cut the deck`,
    digest: 'Digest:',
  },

  invite: 'Invite',
  inviteSays: 'Link copied: whoever opens it can sit down here.',
  inviteLink: 'Whoever opens this link can sit down here',
  rules: 'Rules',
  money: 'Money',
  leave: 'Get up',
  left: 'You got up. What you had went back to your wallet.',
  bring: 'Bring',
  take: 'Take',
  bringSays: 'From your wallet to the table',
  takeSays: 'From the table to your wallet',
  amount: 'Amount in dollars',
  cashier: 'Ask the cashier for more play money',
  moneyLater: 'Money moves again when this round is over.',
  /** @param {string} stack @param {string} least */
  short: (stack, least) => `You have ${stack}, the least wager is ${least}`,
  /** @param {string} amount */
  inWallet: amount => `In your wallet: ${amount}.`,
  bringMoney: 'Bring money',
  /** @param {string} amount */
  given: amount => `The cashier gave you ${amount}.`,

  sit: 'Take a seat',
  /** @param {string} amount */
  sitSays: amount => `You bring ${amount} of play money and can get up at any time.`,
  sitLater: 'You sit down when this round is over',
  sitReopened: 'You sit down when the table is open again',
  onlyWatch: 'Only watch',
  alsoSit: 'Play here too',
  watching: 'You are watching',
  watchingSays: 'No seat is free just now.',
  watchingClosed: 'Nobody sits down while the table is closed.',
  come: 'Play as a guest',

  rests: 'No round opens before someone is ready for it.',
  wait: {
    'idle': 'The next round opens in a moment.',
    'offering': 'The bank is being offered.',
    'betting': 'Wagers are being placed.',
    'closed': 'No more bets.',
    'setting': 'The others are setting their hands.',
    'revealed': 'The banker’s hand is shown.',
  },
  /** @param {string} name */
  offeredTo: name => `The bank is offered to ${name}.`,
  staff: 'You are staff: watch here, act in the pit.',

  bet: 'Place your wager',
  /** @param {string | undefined} when the rulebook's condition, where it has one */
  betSays: when => `Choose how much, then deal. The Fortune Bonus is optional: it pays for what your seven cards are, ${when ? `but ${when}` : 'whatever the dealer holds'}.`,
  none: 'None',
  /** @param {string} least @param {string} most */
  limits: (least, most) => `${least} to ${most}`,
  less: 'Less',
  more: 'More',
  /** @param {string} amount */
  deal: amount => `Deal for ${amount}`,
  dealt: 'Waiting for the others to bet',
  change: 'Wagers can be changed until bets close.',
  sitOut: 'Place nothing to sit this round out.',
  shared: 'Bet on another seat’s hand',
  sharedPlace: 'Bet there',
  sharedWhere: 'Where',
  takeBack: 'Take it back',

  bankOffer: 'The bank is offered to you',
  bankSays: 'As the banker you play against every other hand: you take what loses and pay what wins, never more than you put up.',
  /** @param {string} amount */
  bankCovers: amount => `${amount} is wagered already and must be covered.`,
  bankAmount: 'You put up',
  houseWager: 'The house wagers against you',
  takeBank: 'Take the bank',
  declineBank: 'Pass it on',
  bankInstead: 'Bank this round instead',
  bankMore: 'Put up more',
  yourBank: 'You hold the bank',
  yourBankSays: 'The others place their wagers against you.',
  bankReady: 'Close the bets',
  /** @param {string} put @param {string} taken @param {string} paid @param {string} fee @param {string} back */
  bankSum: (put, taken, paid, fee, back) => `You put up ${put}, took ${taken}, paid ${paid}${fee ? ` and ${fee} commission` : ''}: ${back} came back.`,

  setHand: 'Set your hand',
  setSays: 'Put two cards Low. The other five are High, and High must be the higher hand.',
  setBanker: 'Set the banker’s hand: yours',
  look: 'Look at this hand',
  lookSays: 'You may look at one of your hands. The others are then set the House Way.',
  /** @param {number} n */
  toGo: n => (n > 0 ? `${counted(n, 'card', 'cards')} to go` : ''),
  sort: 'Sort',
  sorts: { rank: 'Rank', suit: 'Suit' },
  undo: 'Undo',
  houseWay: 'House Way',
  houseWayTitle: 'Arrange the cards as the house would',
  /** @param {string} clause @param {string} says */
  houseWaySays: (clause, says) => `House Way, ${clause}: ${says}`,
  houseWayUnread: 'The sheet of this table can no longer be looked up. The dealer still sets by it: leave your hand to the dealer, for good, or set it yourself.',
  leave2dealer: 'Leave it to the dealer',
  lay: 'Lay down',
  foul: 'Foul!',
  foulSays: 'The Low hand would be higher than the High hand.',
  foulLoses: 'It is not your first: the hand would lose.',
  /** @param {string} then */
  foulThen: then => `What this house does with a foul hand: ${then}.`,
  layFoul: 'Lay the foul down',
  layFoulAsk: 'Really lay down a foul?',
  keepSetting: 'Keep setting',
  /** @param {string} high @param {string} low */
  announce: (high, low) => `High: ${high}. Low: ${low}.`,
  /** @param {string} card */
  toLow: card => `${card}, in High. Press to move it Low.`,
  /** @param {string} card */
  toHigh: card => `${card}, in Low. Press to move it High.`,
  laid: 'Your hand is set. The others are still thinking.',
  keys: 'Arrow keys choose a card, Enter moves it, H asks for the House Way, U undoes, L lays down.',

  concede: 'The banker’s hand is shown',
  concedeSays: 'You may give your hand up unseen, for good: the wager is lost.',
  giveUp: 'Give it up',
  playOut: 'Play it out',
  playsOut: 'You play your hand out. The others still decide about theirs.',
  giveUpAfterAll: 'Give it up after all',

  closed: 'Closed',
  /** @param {string} why */
  closedSays: why => `This table is closed: “${why}”.`,
  closedRound: 'This round is played to its end, and none begins after it.',
  closedIdle: 'No round begins until it is open again. Whoever has money here can take it away.',

  resumed: 'Play was interrupted and goes on.',
  resumedSays: 'Everything is as it was; everyone has their time again.',
  withdrawAll: 'Withdraw my wagers',
  withdrawSays: 'By the rules here you may take your wagers back, or play on.',
  playOn: 'Play on',

  results: {
    won: /** @param {string} amount */ amount => `You won ${amount}`,
    lost: /** @param {string} amount */ amount => `You lost ${amount}`,
    push: 'Push',
    watched: 'Round over',
    void: /** @param {string} clause */ clause => `The round is void (${clause}): everything went back.`,
    next: 'Next round',
    waiting: 'Waiting for the others',
    lines: 'Every wager',
    fee: 'Fee of the round',
    others: 'The other seats',
    balance: 'You have',
    sitting: 'This sitting',
    lasted: /** @param {string} time */ time => `in ${time}`,
    replay: 'Replay and proof',
    higher: 'higher',
    copy: 'copy',
    lower: 'lower',
    copySays: 'A copy: equal hands go to the banker.',
    pushSays: 'One hand won and one lost: the wager pushes and goes back.',
    winSays: 'Both hands are higher.',
    loseSays: 'Neither hand is higher.',
    conceded: 'You gave this hand up: its wager is lost, whatever the cards.',
    dead: 'A foul again: the hand loses, whatever the cards.',
    commission: /** @param {string} amount */ amount => `${amount} commission`,
    back: /** @param {string} amount */ amount => `${amount} goes back`,
    ending: { win: 'Win', push: 'Push', lose: 'Lose', returned: 'Returned' },
    how: {
      'laid': '',
      'house-way': 'Set the House Way.',
      'fouled': 'It was a foul and was set the House Way.',
      'absent': 'Time was up: it was set the House Way.',
      'unviewed': 'Not looked at: it was set the House Way.',
    },
    clauseUnknown: 'A rule of this table.',
  },
  bets: {
    'standard': () => 'Wager',
    'fortune': () => 'Fortune Bonus',
    'tiger-nine': () => 'Tiger 9',
    'envy': /** @param {number} [of] */ of => `Envy for seat ${of}`,
    'house-wager': () => 'The house’s wager',
    'banker-commission': () => 'Commission on the bank’s gain',
  },

  coach: {
    heading: 'Coach',
    off: 'The coach is off. Turn it on in the settings.',
    /** @param {string} clause */
    later: clause => `Clause ${clause}: no advice before hands are set. The coach speaks afterwards.`,
    ask: 'What is this worth?',
    show: 'Show the best',
    first: 'Put two cards Low, then ask.',
    best: 'That is the best way to set this hand.',
    alsoHouse: 'It is the House Way too.',
    /** @param {string} cost */
    cost: cost => `Another way is worth ${cost} of each dollar more.`,
    /** @param {string} cost */
    wasCost: cost => `Another way was worth ${cost} of each dollar more.`,
    /** @param {string} amount @param {string} stake */
    costs: (amount, stake) => `On your ${stake} that is ${amount} on average.`,
    way: 'Setting',
    yours: 'Yours',
    bestWay: 'Best',
    house: 'House Way',
    value: 'Of each dollar',
    win: 'Win',
    push: 'Push',
    lose: 'Lose',
    exact: /** @param {string} n */ n => `Exact, over all ${n} hands the banker can hold.`,
    none: 'The coach speaks after your first hand.',
    /** @param {number} hands @param {number} best */
    hands: (hands, best) => `${counted(hands, 'hand', 'hands')}, ${best} set best`,
    /** @param {string} amount */
    lost: amount => `Other settings would have been worth ${amount} more.`,
    fouled: 'A foul is not a setting: it was set the House Way.',
  },

  help: {
    heading: 'How it goes',
    steps: [
      ['Bet', 'Put a wager on your seat. The Fortune Bonus beside it is optional.'],
      ['Set', 'You get seven cards. Two go Low, five go High; High must be the higher hand. The joker is an ace, or fills a straight or a flush.'],
      ['Compare', 'Both of your hands must beat the banker’s to win. One of two is a push: your wager comes back. Equal hands, called copies, go to the banker.'],
      ['Stuck?', 'Press House Way: your cards are arranged as the house would set them.'],
      ['In time', 'What you do counts if it reaches the house before the clock runs out. Then the round goes on without you: no wager, or the House Way.'],
    ],
  },
};
