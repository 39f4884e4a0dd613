// What happened: hand against hand, every wager with its amount and the clause that decided it, what one has now.
import { h } from 'preact';
import { useEffect } from 'preact/hooks';
import { html } from '../../html.js';
import { duration, gain, money } from '../../format.js';
import { Link } from '../../router.js';
import { note, standing } from '../../sitting.js';
import { loseSound, winSound } from '../../sound.js';
import { Card } from '../../ui/card.js';
import { Clause } from '../../ui/clause.js';
import { words } from '../../words/en.js';
import { Judged } from './coach.js';
import { key, setHands, useNames } from './play.js';

/** @import { Bank, HandView, InWords, Line, PastView } from '../../types.js' */
/** @import { Play } from './play.js' */

const text = words.table;
const told = text.results;

/** What a line gained for its owner. @param {Line} line */
export const gainOf = line => line.paid - line.taken - line.commission;

/** What all lines at a position came to. @param {Line[]} lines @param {number} position */
export function gainsOf(lines, position) {
  const own = lines.filter(line => line.position === position && line.owner !== 'house' && line.bet !== 'banker-commission');
  return { any: own.length > 0, total: own.reduce((sum, line) => sum + gainOf(line), 0) };
}

/** Whose line it is. @param {Line} line @param {number | undefined} person */
const isOf = (line, person) => typeof line.owner === 'object' && line.owner.person === person;

/** What a bank came to. @param {Line[]} lines */
function bankSum(lines) {
  const own = lines.filter(line => line.payer === 'banker');
  const taken = own.reduce((sum, line) => sum + line.taken, 0);
  const paid = own.reduce((sum, line) => sum + line.paid, 0);
  const fee = lines.filter(line => line.bet === 'banker-commission').reduce((sum, line) => sum + line.commission, 0);
  return { taken, paid, fee, total: taken - paid - fee };
}

/** Whether a hand was given up: then the clause that lets one do so took its wager. @param {Play} play @param {Line} line */
function wasConceded({ rules }, line) {
  const allows = rules?.choices.find(choice => choice.about === 'conceding')?.clauses.split(' ') ?? [];
  return line.ending === 'lose' && !line.on && line.clauses.some(id => allows.includes(id));
}

/**
 * What a round came to for whoever looks.
 * @param {Play} play
 * @param {PastView} past
 * @param {Bank | null} bank
 */
export function outcome({ you }, past, bank) {
  const own = past.lines.filter(line => isOf(line, you?.person) && line.bet !== 'banker-commission');
  const banked = bank?.banker === 'player' && bank.person === you?.person ? bankSum(past.lines) : null;
  const fees = past.fees.filter(fee => fee.person === you?.person);
  const paid = fees.reduce((sum, fee) => sum + fee.amount, 0);
  const total = own.reduce((sum, line) => sum + gainOf(line), 0) + (banked?.total ?? 0) - paid;
  const took = own.length > 0 || banked !== null;
  const headline = past.void ? told.void(past.void)
    : !took ? told.watched
    : total > 0 ? told.won(money(total)) : total < 0 ? told.lost(money(-total)) : told.push;
  return { own, banked, fees, total, took, headline };
}

/** @param {{ play: Play, past: PastView, bank: Bank | null, ready: () => void }} props */
export function Results({ play, past, bank, ready }) {
  const { you, view, update } = play;
  const { own, banked, fees, total, took, headline } = outcome(play, past, bank);
  const hands = new Map(past.hands);
  const names = useNames(play.id, setHands([past.banker, past.house, ...hands.values()]));
  const mine = play.seats.find(seat => hands.has(seat.position));
  const hand = mine ? hands.get(mine.position) : undefined;
  const isReady = you !== null && update.closed === null && update.ready.includes(you.person);

  useEffect(() => {
    if (!took || !you) return;
    note(you.person, `${play.id}/${past.round}`, total);
    if (total > 0) winSound();
    if (total < 0) loseSound();
  }, [past.round, took]);

  const sitting = standing(you?.person);
  const standard = own.find(line => line.bet === 'standard' && line.position === mine?.position);
  const conceded = standard !== undefined && wasConceded(play, standard);
  return html`<div class="panel results" data-total=${total}>
    <div class="panel-head results-head">
      <h2 class=${total > 0 ? 'won' : total < 0 ? 'lost' : ''}>${headline}</h2>
      ${view.stack !== null && html`<p class="balance"><span>${told.balance} <b>${money(view.stack)}</b></span>
        ${sitting && html`<span>${told.sitting} <b class=${sitting.gained > 0 ? 'won' : sitting.gained < 0 ? 'lost' : ''}>${
          gain(sitting.gained)}</b> ${told.lasted(duration(sitting.lasted))}</span>`}</p>`}
      ${update['house-options'].includes('ready') || isReady
        ? html`<button type="button" class="first" id="next-round" disabled=${isReady} onClick=${ready}>${isReady ? told.waiting : told.next}</button>`
        : null}
    </div>
    ${hand && standard && h(Compared, { hand, banker: past.banker, line: standard, names, bank, conceded })}
    ${banked && bank?.banker === 'player' && html`<p>${text.bankSum(money(bank['put-up']), money(banked.taken), money(banked.paid),
      banked.fee > 0 ? money(banked.fee) : '', money(bank['put-up'] + banked.total))}</p>`}
    ${own.length + fees.length > 0 && html`<div class="lines"><h3>${told.lines}</h3>
      <ul>${own.map((line, at) => h(LineOf, { line, play, key: at }))}
        ${fees.map((fee, at) => html`<li key=${`fee ${at}`}><span class="line-name">${told.fee}</span><span></span>
          <span class="line-gain number lost">${gain(-fee.amount)}</span>
          <span class="line-more">${h(Clause, { id: fee.clause, rules: play.rules })}</span></li>`)}</ul></div>`}
    ${hand?.cards === 'set' && standard && !conceded && h(Judged, {
      play, cards: [...hand.low, ...hand.high], low: hand.low, fouled: hand.how === 'fouled', stake: standard.stake, round: past.round,
    })}
    <details class="others" open=${banked !== null || !took}><summary>${told.others}</summary>
      <ul>${past.hands.filter(([position]) => position !== mine?.position).map(([position, other]) => h(Other, {
        play, past, position, hand: other, names, key: position,
      }))}</ul>
    </details>
    <p class="replay">${h(Link, { to: `/round/${play.id}/${past.round}` }, told.replay)}</p>
  </div>`;
}

/**
 * @param {{ hand: HandView, banker: HandView, line: Line, names: Map<string, InWords>, bank: Bank | null,
 *   conceded: boolean }} props
 */
function Compared({ hand, banker, line, names, bank, conceded }) {
  if (hand.cards !== 'set' || banker.cards !== 'set') return html`<p>${conceded ? told.conceded : ''}</p>`;
  const on = typeof line.on === 'object' && line.on !== null && 'hands' in line.on ? line.on.hands : null;
  const [own, other] = [names.get(key(hand.low)), names.get(key(banker.low))];
  const against = bank?.banker === 'player' ? text.banker : text.dealer;
  /** @param {'high' | 'low'} which */
  const row = which => {
    const versus = on?.[which];
    const is = /** @type {const} */ (`${which}-is`);
    return html`<div class=${`versus ${versus === 'higher' ? 'won' : versus ? 'lost' : ''}`}>
      <div class="side"><p><b>${text[which]}</b> ${own?.[is]}</p><div class="row">${hand[which].map(card => h(Card, { card, key: card }))}</div></div>
      <p class="versus-word">${versus ? told[versus] : ''}</p>
      <div class="side"><p><b>${against}</b> ${other?.[is]}</p><div class="row">${banker[which].map(card => h(Card, { card, key: card }))}</div></div>
    </div>`;
  };
  const copy = on && (on.high === 'copy' || on.low === 'copy');
  // A hand that was not compared lost or went back by a rule: the line's clause says which.
  const why = !on ? ''
    : line.ending === 'push' && on.high !== on.low ? told.pushSays
    : line.ending === 'win' ? told.winSays : line.ending === 'lose' ? told.loseSays : '';
  const how = conceded ? told.conceded : hand.how === 'fouled' && !on ? told.dead : told.how[hand.how ?? 'laid'];
  return html`<div class="compared">
    ${row('high')}${row('low')}
    <p class="why">${how} ${why} ${copy ? told.copySays : ''}</p>
  </div>`;
}

/** @param {{ line: Line, play: Play }} props */
function LineOf({ line, play }) {
  const amount = gainOf(line);
  const name = line.bet === 'envy' ? text.bets.envy(line.of) : text.bets[line.bet]();
  const held = typeof line.on === 'object' && line.on !== null && 'held' in line.on ? words.cards.bonusHands[line.on.held] : '';
  return html`<li data-bet=${line.bet}>
    <span class="line-name">${name} ${line.stake > 0 && html`<span class="quiet">${money(line.stake)}</span>`}
      ${held && html`<span class="quiet">${held}</span>`}</span>
    <span class=${`line-end ${line.ending}`}>${told.ending[line.ending]}</span>
    <span class=${`line-gain number ${amount > 0 ? 'won' : amount < 0 ? 'lost' : ''}`}>${gain(amount)}</span>
    <span class="line-more">
      ${line.commission > 0 && html`<span class="quiet">${told.commission(money(line.commission))}</span>`}
      ${line.back > 0 && line.ending !== 'win' && html`<span class="quiet">${told.back(money(line.back))}</span>`}
      ${line.clauses.map(id => h(Clause, { id, rules: play.rules, key: id }))}
    </span>
  </li>`;
}

/** @param {{ play: Play, past: PastView, position: number, hand: HandView, names: Map<string, InWords> }} props */
function Other({ play, past, position, hand, names }) {
  const person = play.view.seats.find(seat => seat.position === position)?.person;
  const named = hand.cards === 'set' ? names.get(key(hand.low)) : undefined;
  const { total } = gainsOf(past.lines, position);
  return html`<li>
    <span>${text.position(position)}, ${play.nameOf(person)}</span>
    <span class="quiet">${named ? text.announce(named['high-is'], named['low-is'])
      : hand.cards === 'face-down' && hand.conceded ? text.conceded : ''}</span>
    <span class=${`number ${total > 0 ? 'won' : total < 0 ? 'lost' : ''}`}>${gain(total)}</span>
  </li>`;
}
