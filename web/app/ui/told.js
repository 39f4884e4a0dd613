// What happened at a table, in sentences.
import { money } from '../format.js';
import { me } from '../session.js';
import { words } from '../words/en.js';
import { sentence } from './loaded.js';

/** @import { Happened, Ruling, SeatView, Spot } from '../types.js' */

/** @typedef {{ person: (person: number) => string, seat: (position: number) => string }} Names */

/**
 * Names from the seats: whoever sits somewhere goes by their seat, unless more is known.
 * @param {SeatView[]} seats
 * @param {Record<string, { name: string }>} [known] names by person
 * @returns {Names}
 */
export function namesFrom(seats, known = {}) {
  const own = me.value?.person;
  return {
    person: person => {
      if (person === own) return words.events.you;
      if (person === 0) return words.events.house;
      const at = seats.find(seat => seat.person === person)?.position;
      return known[person]?.name ?? (at === undefined ? words.events.person(person) : words.events.seat(at));
    },
    seat: position => {
      const sits = seats.find(seat => seat.position === position)?.person;
      return sits !== null && sits !== undefined && sits === own ? words.events.yourSeat(position) : words.events.seat(position);
    },
  };
}

/** @param {Spot} spot @param {Names} names */
export const spotName = (spot, names) => (spot === 'dealer' ? words.events.dealer : names.seat(spot.at));

/** @param {Ruling} ruling @param {Names} names */
export function rulingName(ruling, names) {
  return typeof ruling === 'string' ? words.events.rulings[ruling] : words.events.handOut(names.seat(ruling['hand-out']));
}

/** A sentence for what happened. @param {Happened} happened @param {Names} names */
export function told(happened, names) {
  const it = /** @type {Record<string, any>} */ (happened);
  const person = it.person ?? it.bank?.person ?? it.by?.person ?? it.who;
  const amount = it.amount ?? it.bank?.['put-up'];
  const say = words.events.happened[happened.event];
  /** @type {(value: unknown, name: (value: any) => string) => string} */
  const where = (value, name) => (value === undefined || value === null ? '' : name(value));
  return say?.({
    who: where(person, names.person),
    seat: where(it.position, names.seat),
    amount: where(amount, money),
    wager: where(it.wager, wager => /** @type {Record<string, string>} */ (words.events.wagers)[wager] ?? wager),
    round: where(it.round, String),
    why: it.why ?? '',
    a: where(it.a ?? it.spot, spot => spotName(spot, names)),
    b: where(it.b, spot => spotName(spot, names)),
    what: where(it.what, what => sentence(/** @type {Record<string, string>} */ (words.events.incidents)[what] ?? what)),
    number: it.number ?? 0,
    ruling: where(it.ruling, ruling => rulingName(ruling, names)),
    reason: it.reason ?? '',
    before: (it.before ?? 0) > 0,
  }) ?? happened.event;
}
