// A table: the felt, and below it whatever is one's own to do now.
import { h } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { html } from '../html.js';
import { Link } from '../router.js';
import { comeIn } from '../session.js';
import { reopen } from '../socket.js';
import { Clock } from '../ui/clock.js';
import { Dialog } from '../ui/dialog.js';
import { complain, tell } from '../ui/toast.js';
import { words } from '../words/en.js';
import { BankHeld, BankOffer } from './table/banking.js';
import { Corner } from './table/coach.js';
import { Felt, shownPast } from './table/felt.js';
import { Money, Short, getUp, isShort, leaves } from './table/money.js';
import { offers, usePlay } from './table/play.js';
import { Results, outcome } from './table/results.js';
import { Seatless, useSitDown } from './table/seating.js';
import { Setting, task } from './table/setting.js';
import { Wagers } from './table/wagers.js';

/** @import { Bank } from '../types.js' */
/** @import { Parts } from '../router.js' */
/** @import { Play } from './table/play.js' */
/** @import { Wish } from './table/seating.js' */

const text = words.table;

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
  const wish = useSitDown(play);
  useLook(play);
  const { name } = view.phase;
  const past = shownPast(play);
  // A finished round is told with the bank it was played against.
  const { bank } = past ?? view;
  const tray = useRef(/** @type {HTMLElement | null} */ (null));
  useFocus(tray);
  const waits = name === 'idle' ? update['next-round'] : view.until;
  return html`<section class="table-page">
    <div class="table-head">
      <h1>${update.name}</h1>
      <p class="quiet">${view.round > 0 && text.round(view.round)}</p>
      ${update.closed !== null && html`<span class="tag void">${text.closed}</span>`}
      ${waits !== null && h(Clock, { until: waits, key: `${name} ${waits}` })}
    </div>
    ${h(Tools, { play })}
    <p class="only-read" role="status">${past ? outcome(play, past, bank).headline : now(play)}</p>
    ${h(Felt, { play, bank })}
    <div class="tray" data-phase=${name} ref=${tray}>${h(Tray, { play, wish, bank })}</div>
    <aside class="beside">
      ${h(Corner, null)}
      ${update['house-options'].includes('say') ? h(Say, { play, key: view.round }) : h(Cut, { play })}
      ${h(Help, { open: view.round <= 1 })}
    </aside>
  </section>`;
}

/** What there is to do now, or what one waits for, in a sentence. @param {Play} play */
function now(play) {
  const { view, seats } = play;
  if (offers(view, 'view').length > 0) return text.setHand;
  if (view.phase.name === 'setting' && seats.some(seat => seat.hand)) return task(play)?.title ?? text.laid;
  return waitsFor(play);
}

/** What everyone waits for. @param {Play} play */
function waitsFor({ view, update }) {
  if (view.phase.name !== 'idle') return text.wait[view.phase.name];
  if (update.closed !== null) return text.closedIdle;
  return update['next-round'] === null ? text.rests : text.wait.idle;
}

/**
 * When what had the focus is gone, what there is to do next has it.
 * @param {{ current: HTMLElement | null }} tray
 */
function useFocus(tray) {
  const shown = useRef(/** @type {string | null} */ (null));
  useEffect(() => {
    const next = tray.current?.querySelector('h2') ?? tray.current;
    if (!next || next.textContent === shown.current) return;
    const first = shown.current === null;
    shown.current = next.textContent;
    const has = document.activeElement;
    if (first || has !== document.body && has !== tray.current) return;
    next.tabIndex = -1;
    next.focus({ preventScroll: true });
  });
}

/** Whatever is one's own to do now. @param {{ play: Play, wish: Wish, bank: Bank | null }} props */
function Tray({ play, wish, bank }) {
  const past = shownPast(play);
  const ready = () => play.ask({ do: 'ready' });
  const todo = task(play);
  const results = past && past.lines.length > 0 && h(Results, { play, past, bank, ready });
  if (!play.you) return html`${h(Closed, { play })}${h(Come, null)}${results}`;
  return html`${h(Closed, { play })}${h(Interrupted, { play })}
    ${todo ? h(Setting, { play, task: todo, key: `${play.view.round} ${todo.position}` }) : h(Doing, { play, wish, results })}`;
}

/** The table is closed: why, and what is still to come. @param {{ play: Play }} props */
function Closed({ play: { view, update } }) {
  if (update.closed === null) return null;
  return html`<div class="panel notice closed" role="status">
    <p><strong>${text.closedSays(update.closed)}</strong> ${view.phase.name === 'idle' ? text.closedIdle : text.closedRound}</p>
  </div>`;
}

/** Play was interrupted: what that means, and whether wagers may be taken back. @param {{ play: Play }} props */
function Interrupted({ play: { view, update, ask } }) {
  if (!update.resumed) return null;
  const may = offers(view, 'withdraw-all').length > 0;
  return html`<div class="panel notice interrupted" role="status">
    <p><strong>${text.resumed}</strong> ${may ? text.withdrawSays : text.resumedSays}</p>
    ${may && html`<div class="panel-do">
      <button type="button" class="small" id="play-on" onClick=${() => ask({ do: 'ready' })}>${text.playOn}</button>
      <button type="button" class="small" id="withdraw-all" onClick=${() => ask({ do: 'withdraw-all' })}>${text.withdrawAll}</button></div>`}
  </div>`;
}

/**
 * What there is to do when no hand is to be set.
 * @param {{ play: Play, wish: Wish, results: import('preact').VNode | null | false }} props
 */
function Doing({ play, wish, results }) {
  const { view, you, seats } = play;
  if (offers(view, 'view').length > 1) return h(Looks, { play });
  if (offers(view, 'concede').length > 0) return h(Concede, { play });
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
  if (isShort(play)) return h(Short, { play });
  if (seats.length === 0) return html`${h(Seatless, { play, wish })}${results}`;
  return results || h(Waiting, { play });
}

/** A hand may be given up. Whoever plays it out only waits, and may still change their mind. @param {{ play: Play }} props */
function Concede({ play: { view, update, you, seats, ask } }) {
  const playsOut = you !== null && update.ready.includes(you.person);
  const giveUp = offers(view, 'concede').map(({ position }) => html`<button type="button" class="give-up" key=${position}
    onClick=${() => ask({ do: 'concede', position })}>${text.giveUp}${seats.length > 1 ? `: ${text.position(position)}` : ''}</button>`);
  if (playsOut) {
    return html`<div class="panel waiting"><p role="status">${text.playsOut}</p>
      <details><summary>${text.giveUpAfterAll}</summary><p class="quiet">${text.concedeSays}</p><div class="panel-do">${giveUp}</div></details></div>`;
  }
  return html`<div class="panel"><div class="panel-head"><h2>${text.concede}</h2><p class="quiet">${text.concedeSays}</p></div>
    <div class="panel-do"><button type="button" class="first" id="play-out" onClick=${() => ask({ do: 'ready' })}>${text.playOut}</button>${giveUp}</div></div>`;
}

/** @param {{ play: Play }} props */
function Waiting({ play }) {
  const { view, nameOf } = play;
  const { phase } = view;
  const to = phase.name === 'offering' ? view.seats.find(seat => seat.position === phase.to)?.person : undefined;
  const set = phase.name === 'setting' && play.seats.some(seat => seat.hand);
  return html`<div class="panel waiting" role="status"><p>${to !== undefined ? text.offeredTo(nameOf(to))
    : set ? text.laid : waitsFor(play)}</p>
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
  const { view, info, seats } = play;
  const [open, setOpen] = useState(/** @type {'money' | 'invite' | null} */ (null));
  const close = () => setOpen(null);
  const address = `${location.origin}/table/${play.id}?sit`;
  // There is no clipboard on pages that come over plain HTTP from afar, and a browser may refuse it.
  const invite = () => Promise.resolve().then(() => navigator.clipboard.writeText(address))
    .then(() => tell(text.inviteSays), () => setOpen('invite'));
  return html`<div class="tools">
    <button type="button" class="small" onClick=${invite}>${text.invite}</button>
    ${info && h(Link, { to: `/rules/${info.rules}`, class: 'button small' }, text.rules)}
    ${(seats.length > 0 || view.stack) && html`<button type="button" class="small" onClick=${() => setOpen('money')}>${text.money}</button>`}
    ${leaves(play).length > 0 && html`<button type="button" class="small" id="leave" onClick=${() => getUp(play)}>${text.leave}</button>`}
    ${open === 'money' && h(Money, { play, close })}
    ${open === 'invite' && h(Dialog, { title: text.invite, close }, html`<label class="field"><span>${text.inviteLink}</span>
      <input id="invite-link" readonly value=${address} onFocus=${(/** @type {FocusEvent} */ event) =>
        /** @type {HTMLInputElement} */ (event.currentTarget).select()} /></label>`)}
  </div>`;
}

/** The house takes 256 bytes, and none of so many characters takes more than three. */
const SAY_AT_MOST = 85;

/** Cuts the deck of this round by words of one's own, until no more bets. @param {{ play: Play }} props */
function Say({ play: { ask } }) {
  const [said, setSaid] = useState('');
  const [typed, setTyped] = useState('');
  const say = async (/** @type {Event} */ event) => {
    event.preventDefault();
    if (!await ask({ do: 'say', words: typed })) return;
    setSaid(typed);
    setTyped('');
  };
  return html`<details class="say"><summary>${text.cut.say}</summary>
    <p class="quiet">${text.cut.saySays}</p>
    <form class="say-words" onSubmit=${say}>
      <label class="field"><span>${text.cut.words}</span>
        <input id="say" value=${typed} maxlength=${SAY_AT_MOST} required autocomplete="off"
          onInput=${(/** @type {InputEvent} */ event) => setTyped(/** @type {HTMLInputElement} */ (event.currentTarget).value)} /></label>
      <button type="submit" class="small" disabled=${typed === ''}>${text.cut.doSay}</button>
    </form>
    <p role="status">${said !== '' && words.fair.said(text.you, said)}</p>
  </details>`;
}

/** What was said until no more bets, one's own among it, as the deck is cut by it. @param {{ play: Play }} props */
function Cut({ play: { update: { words: published }, you, nameOf } }) {
  if (!published || published.said.length === 0) return null;
  const { said, digest } = published;
  const own = said.some(it => it.person === you?.person);
  return html`<details class="cut"><summary>${own ? text.cut.own(said.length) : text.cut.others(said.length)}</summary>
    <ul class="plain-list">${said.map(it => html`<li key=${it.person}>${words.fair.said(nameOf(it.person), it.words)}</li>`)}</ul>
    <p class="quiet">${text.cut.digest} <code>${digest}</code></p>
  </details>`;
}

/** How the game goes, for whoever is new to it. @param {{ open: boolean }} props */
function Help({ open }) {
  return html`<details class="help" open=${open}>
    <summary><h2>${text.help.heading}</h2></summary>
    <ol>${text.help.steps.map(([title, says]) => html`<li key=${title}><b>${title}</b> ${says}</li>`)}</ol>
  </details>`;
}
