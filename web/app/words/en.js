// Every text of the table, in English. Each part has its own file; what is counted is a function.
import { account } from './en/account.js';
import { common, nav } from './en/common.js';
import { cards } from './en/cards.js';
import { events } from './en/events.js';
import { fair } from './en/fair.js';
import { history } from './en/history.js';
import { lobby } from './en/lobby.js';
import { lookUp } from './en/look-up.js';
import { odds } from './en/odds.js';
import { pit } from './en/pit.js';
import { rules } from './en/rules.js';
import { table } from './en/table.js';
import { trainer } from './en/trainer.js';

export const words = {
  nav, common, cards, lobby, table, lookUp, odds, trainer, history, pit, rules, account,
  events, fair,
  /** The title of the document on a page. @param {string} page */
  titled: page => `${page} · Houseway`,
};
