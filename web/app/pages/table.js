// A table: the felt, and below it whatever is one's own to do now.
import { h } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import * as api from '../api.js';
import { html } from '../html.js';
import { money } from '../format.js';
import { Link, go, here } from '../router.js';
import { comeIn, lookAgain, me } from '../session.js';
import { reopen } from '../socket.js';
import { Clock } from '../ui/clock.js';
import { Dialog } from '../ui/dialog.js';
import { complain, tell } from '../ui/toast.js';
import { words } from '../words/en.js';
import { BankHeld, BankOffer } from './table/banking.js';
import { Corner } from './table/coach.js';
import { Felt, shownPast } from './table/felt.js';
import { offers, usePlay } from './table/play.js';
import { Results, outcome } from './table/results.js';
import { Setting, task } from './table/setting.js';
import { Wagers } from './table/wagers.js';

/** @import { Bank } from '../types.js' */
/** @import { Parts } from '../router.js' */
/** @import { Play } from './table/play.js' */

const text = words.table;

/** How many of the least wagers one brings along. */
const BRINGS = 100;

const DOLLAR = 100;

/** @param {{ parts: Parts }} props */
export default function Table({ parts }) {
  const { play, wrong } = usePlay(Number(parts.table));
  if (!play) {
    return html`<section class="page narrow"><h1>${words.nav.table}</h1>
      <p role="status">${wrong ? text.missing : text.loading}</p>
      ${wrong && html`<p>${h(Link, { to: '/' }, words.common.toLobby)}</p>`}</section>`;
  }
  return h(Room, { play });
}

/** @param {{ play: Play }} props */
function Room({ play }) {
  const { view, update } = play;
  useSitDown(play);
  useLook(play);
  // A finished round is told with the bank it was played against.
  const lastBank = useRef(/** @type {Bank | null} */ (null));
  if (view.bank) lastBank.current = view.bank;
  const { name } = view.phase;
  const past = shownPast(play);
  const waits = name === 'idle' ? update['next-round'] : view.until;
  return html`<section class="table-page">
    <div class="table-head">
      <h1>${update.name}</h1>
      <p class="quiet">${view.round > 0 && text.round(view.round)}</p>
      ${waits !== null && h(Clock, { until: waits, key: `${name} ${waits}` })}
    </div>
    ${h(Tools, { play })}
    <p class="only-read" role="status">${past ? outcome(play, past, lastBank.current).headline : text.wait[name]}</p>
    ${h(Felt, { play, bank: lastBank.current })}
    <div class="tray" data-phase=${name}>${h(Tray, { play, bank: lastBank.current })}</div>
    <aside class="beside">
      ${h(Corner, null)}
      ${h(Help, { open: view.round <= 1 })}
    </aside>
  </section>`;
}

/** Whatever is one's own to do now. @param {{ play: Play, bank: Bank | null }} props */
function Tray({ play, bank }) {
  const past = shownPast(play);
  const ready = () => play.ask({ do: 'ready' });
  const todo = task(play);
  const results = past && past.lines.length > 0 && h(Results, { play, past, bank, ready });
  if (!play.you) return html`${h(Come, null)}${results}`;
  return html`${h(Interrupted, { play })}
    ${todo ? h(Setting, { play, task: todo, key: `${play.view.round} ${todo.position}` }) : h(Doing, { play, results })}`;
}

/** Play was interrupted: what that means, and whether wagers may be taken back. @param {{ play: Play }} props */
function Interrupted({ play: { view, update, ask } }) {
  if (!update.resumed) return null;
  const may = offers(view, 'withdraw-all').length > 0;
  return html`<div class="panel interrupted" role="status">
    <p><strong>${text.resumed}</strong> ${may ? text.withdrawSays : text.resumedSays}</p>
    ${may && html`<div class="panel-do">
      <button type="button" class="small" id="play-on" onClick=${() => ask({ do: 'ready' })}>${text.playOn}</button>
      <button type="button" class="small" id="withdraw-all" onClick=${() => ask({ do: 'withdraw-all' })}>${text.withdrawAll}</button></div>`}
  </div>`;
}

/**
 * What there is to do when no hand is to be set.
 * @param {{ play: Play, results: import('preact').VNode | null | false }} props
 */
function Doing({ play, results }) {
  const { view, you, seats, ask } = play;
  if (offers(view, 'view').length > 1) return h(Looks, { play });
  const concede = offers(view, 'concede');
  if (concede[0]) {
    const { position } = concede[0];
    // Whoever has given up their last hand waits for nothing else.
    const giveUp = async () => await ask({ do: 'concede', position }) && concede.length === 1 && ask({ do: 'ready' });
    return html`<div class="panel"><div class="panel-head"><h2>${text.concede}</h2><p class="quiet">${text.concedeSays}</p></div>
      <div class="panel-do"><button type="button" class="first" id="play-out" onClick=${() => ask({ do: 'ready' })}>${text.playOut}</button>
        <button type="button" id="concede" onClick=${giveUp}>${text.giveUp}${seats.length > 1 ? `: ${text.position(position)}` : ''}</button></div></div>`;
  }
  const own = seats.map(seat => seat.position);
  const places = offers(view, 'place').some(offer => own.includes(offer.position));
  const banks = view.bank?.banker === 'player' && view.bank.person === you?.person;
  if (view.phase.name === 'offering' && offers(view, 'take-bank').length > 0) return h(BankOffer, { play });
  if (view.phase.name === 'betting' && banks) {
    return html`${h(BankHeld, { play })}${offers(view, 'take-bank').length > 0 && h(BankOffer, { play })}${places && h(Wagers, { play })}`;
  }
  if (places) {
    return html`${h(Wagers, { play, key: view.round })}
      ${offers(view, 'take-bank').length > 0 && html`<details class="bank-option">
        <summary class="panel">${text.bankInstead}</summary>${h(BankOffer, { play })}</details>`}`;
  }
  if (seats.length === 0) return html`${h(Seatless, { play })}${results}`;
  return results || h(Waiting, { play });
}

/** @param {{ play: Play }} props */
function Waiting({ play }) {
  const { view, nameOf } = play;
  const { phase } = view;
  const to = phase.name === 'offering' ? view.seats.find(seat => seat.position === phase.to)?.person : undefined;
  const set = phase.name === 'setting' && play.seats.some(seat => seat.hand);
  return html`<div class="panel waiting" role="status"><p>${to !== undefined ? text.offeredTo(nameOf(to))
    : set ? text.laid : text.wait[phase.name]}</p>
    ${phase.name === 'idle' && play.update['house-options'].includes('ready')
      && html`<button type="button" class="first" id="next-round" onClick=${() => play.ask({ do: 'ready' })}>${text.results.next}</button>`}
  </div>`;
}

/** Nobody yet: comes in as a guest. */
function Come() {
  const come = () => comeIn().then(reopen, () => complain(words.common.unreachable));
  return html`<div class="panel"><div class="panel-head"><h2>${text.watching}</h2></div>
    <div class="panel-do"><button type="button" class="first" id="come-in" onClick=${come}>${text.come}</button></div></div>`;
}

/** Someone who has no seat. @param {{ play: Play }} props */
function Seatless({ play }) {
  const { view, you } = play;
  if (you && you.role !== 'player') return html`<div class="panel"><p>${text.staff}</p></div>`;
  const free = view.seats.some(seat => seat.person === null);
  const amount = brought(play);
  return html`<div class="panel"><div class="panel-head"><h2>${free ? text.sit : text.watching}</h2>
      <p class="quiet">${free ? text.sitSays(money(amount)) : text.watchingSays}</p></div>
    ${free && html`<div class="panel-do"><button type="button" class="first" id="sit" onClick=${() => sitDown(play)}>${text.sit}</button></div>`}
  </div>`;
}

/** What one brings along to a table. @param {Play} play */
function brought({ info, you }) {
  const least = info?.posted.standard.minimum ?? 10 * DOLLAR;
  return Math.floor(Math.min(least * BRINGS, you?.wallet ?? 0) / DOLLAR) * DOLLAR;
}

/** Brings money where there is none and takes the first free seat. @param {Play} play */
async function sitDown(play) {
  const { view, ask } = play;
  const amount = brought(play);
  if (!view.stack && amount > 0 && !await ask({ do: 'bring-money', amount })) return;
  const taken = offers(view, 'sit')[0]?.position ?? view.seats.find(seat => seat.person === null)?.position;
  if (taken !== undefined) await ask({ do: 'sit', position: taken });
}

/** Whoever came to play sits down without being asked again. @param {Play} play */
function useSitDown(play) {
  const wants = here.value.query.has('sit');
  const known = play.you !== null && play.info !== null;
  useEffect(() => {
    if (!wants || !known) return;
    go(`/table/${play.id}`, { replace: true });
    if (play.seats.length === 0) sitDown(play);
  }, [wants, known]);
}

/** Looks at one's cards as soon as they are dealt, unless one has to choose which. @param {Play} play */
function useLook({ view, ask }) {
  const looks = offers(view, 'view');
  const position = looks.length === 1 ? looks[0]?.position : undefined;
  useEffect(() => {
    if (position !== undefined) ask({ do: 'view', position });
  }, [view.round, position]);
}

/** One of several hands may be looked at. @param {{ play: Play }} props */
function Looks({ play }) {
  return html`<div class="panel"><div class="panel-head"><h2>${text.setHand}</h2><p class="quiet">${text.lookSays}</p></div>
    <div class="panel-do">${offers(play.view, 'view').map(({ position }) => html`<button type="button" class="first" key=${position}
      onClick=${() => play.ask({ do: 'view', position })}>${text.look}: ${text.position(position)}</button>`)}</div></div>`;
}

/** @param {{ play: Play }} props */
function Tools({ play }) {
  const { view, info, seats, ask } = play;
  const [open, setOpen] = useState(false);
  const invite = async () => {
    // Where there is no clipboard the address is in the browser's own line.
    await navigator.clipboard?.writeText(`${location.origin}/table/${play.id}?sit`).catch(() => {});
    tell(text.inviteSays);
  };
  const leaves = offers(view, 'leave').filter(offer => seats.some(seat => seat.position === offer.position));
  const leave = async () => {
    for (const { position } of leaves) if (!await ask({ do: 'leave', position })) return;
    if (view.stack && offers(view, 'take-money').length > 0) await ask({ do: 'take-money', amount: view.stack });
    tell(text.left);
    await lookAgain();
    go('/');
  };
  return html`<div class="tools">
    <button type="button" class="small" onClick=${invite}>${text.invite}</button>
    ${info && h(Link, { to: `/rules/${info.rules}`, class: 'button small' }, text.rules)}
    ${seats.length > 0 && html`<button type="button" class="small" onClick=${() => setOpen(true)}>${text.money}</button>`}
    ${leaves.length > 0 && html`<button type="button" class="small" id="leave" onClick=${leave}>${text.leave}</button>`}
    ${open && h(Money, { play, close: () => setOpen(false) })}
  </div>`;
}

/** Money between the wallet and the table. @param {{ play: Play, close: () => void }} props */
function Money({ play, close }) {
  const { view, ask } = play;
  const bring = offers(view, 'bring-money')[0];
  const take = offers(view, 'take-money')[0];
  const wallet = me.value?.wallet ?? 0;
  const cashier = () => api.cashier().then(
    async ({ given }) => {
      tell(text.given(money(given)));
      await lookAgain();
    },
    error => complain(error instanceof api.Refused ? error.message : words.common.unreachable),
  );
  /** @param {'bring-money' | 'take-money'} what @param {string} label @param {string} says @param {number} most */
  const form = (what, label, says, most) => html`<form class="money-form" onSubmit=${async (/** @type {Event} */ event) => {
    event.preventDefault();
    const input = /** @type {HTMLFormElement} */ (event.currentTarget).elements.namedItem('amount');
    const amount = Math.round(Number(/** @type {HTMLInputElement} */ (input).value) * DOLLAR);
    if (await ask({ do: what, amount })) lookAgain();
  }}>
    <label>${says} (${money(most)})<input name="amount" type="number" inputmode="numeric" min="1" step="1" aria-label=${text.amount}
      max=${Math.floor(most / DOLLAR)} value=${Math.min(500, Math.floor(most / DOLLAR))} required /></label>
    <button type="submit" class="first">${label}</button>
  </form>`;
  return h(Dialog, { title: text.money, close },
    bring && wallet > 0 && form('bring-money', text.bring, text.bringSays, Math.min(bring.most, wallet)),
    take && form('take-money', text.take, text.takeSays, take.most),
    html`<p><button type="button" class="small" onClick=${cashier}>${text.cashier}</button></p>`);
}

/** How the game goes, for whoever is new to it. @param {{ open: boolean }} props */
function Help({ open }) {
  return html`<details class="help" open=${open}>
    <summary><h2>${text.help.heading}</h2></summary>
    <ol>${text.help.steps.map(([title, says]) => html`<li key=${title}><b>${title}</b> ${says}</li>`)}</ol>
  </details>`;
}
