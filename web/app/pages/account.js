// Who one is: coming in, going, one's money and one's own limits.
import { h } from 'preact';
import { useState } from 'preact/hooks';
import { html } from '../html.js';
import * as api from '../api.js';
import { money, when } from '../format.js';
import { go, here } from '../router.js';
import { leave, look, lookAgain, me, take } from '../session.js';
import { reopen } from '../socket.js';
import { Confirm } from '../ui/confirm.js';
import { Waiting, saying, sentence, useLoaded } from '../ui/loaded.js';
import { complain, tell } from '../ui/toast.js';
import { words } from '../words/en.js';

/** @import { Come, Kind, Limits, Me } from '../types.js' */

const MINUTE = 60_000;
const KINDS = /** @type {Kind[]} */ (Object.keys(words.account.kinds));

export default function Account() {
  const { value, error } = useLoaded(async () => ({ you: await look() }), []);
  const you = me.value;
  if (!value) return html`<section class="page narrow"><h1>${words.account.title}</h1>${h(Waiting, { error })}</section>`;
  return html`<section class="page account">
    <header class="page-head"><h1>${you ? you.name : words.account.title}</h1>
      ${you && !you.guest ? h(About, { you }) : html`<p class="quiet">${you ? words.account.guestIntro : words.account.nobodyIntro}</p>`}
    </header>
    ${you && h(Wallet, { you })}
    ${(!you || you.guest) && html`<div class="account-doors">
      ${h(Door, { name: 'register', title: words.account.register, yes: words.account.registerDo, come: api.register, fresh: true })}
      ${h(Door, { name: 'login', title: words.account.login, yes: words.account.loginDo, come: api.login, fresh: false })}
    </div>`}
    ${you && h(OwnLimits, { key: you.person })}
    ${you && h(Leave, { you })}
  </section>`;
}

/** @param {{ you: Me }} props */
function About({ you }) {
  const role = words.account.roles[you.operator ? 'operator' : you.role];
  return html`<p class="quiet">${role}${you['last-login'] ? ` · ${words.account.lastLogin(when(you['last-login']))}` : ''}</p>`;
}

/**
 * A name and a password.
 * @param {{ name: string, title: string, yes: string, fresh: boolean,
 *   come: (name: string, password: string) => Promise<Come> }} props `fresh` where both are chosen now
 */
function Door({ name, title, yes, fresh, come }) {
  const [wrong, setWrong] = useState(/** @type {{ field: string | null, says: string } | null} */ (null));
  const [busy, setBusy] = useState(false);
  /** @param {Event} event */
  const submit = async event => {
    event.preventDefault();
    const given = new FormData(/** @type {HTMLFormElement} */ (event.currentTarget));
    setBusy(true);
    setWrong(null);
    try {
      const { you } = await come(String(given.get('name')), String(given.get('password')));
      take(you);
      // Tables are watched as whoever one is now.
      reopen();
      tell(words.account.welcome(you.name));
      // Whoever came from another page goes back there.
      const to = here.value.query.get('to');
      if (to && /^\/(?!\/)/.test(to)) go(to, { replace: true });
    } catch (error) {
      setBusy(false);
      setWrong({ field: error instanceof api.Refused ? error.fault.field ?? null : null, says: saying(error) });
    }
  };
  /** @param {string} field */
  const about = field => ({
    'aria-invalid': wrong?.field === field ? 'true' : undefined,
    'aria-describedby': [fresh && `${name}-${field}-hint`, wrong && `${name}-wrong`].filter(Boolean).join(' ') || undefined,
  });
  return html`<form class="sheet form" name=${name} aria-labelledby=${`${name}-title`} onSubmit=${submit}>
    <h2 id=${`${name}-title`}>${title}</h2>
    <label class="field"><span>${words.account.name}</span>
      <input name="name" required maxlength="64" autocomplete="username" autocapitalize="off" spellcheck="false" ...${about('name')} />
      ${fresh && html`<small id=${`${name}-name-hint`}>${words.account.nameHint}</small>`}</label>
    <label class="field"><span>${words.account.password}</span>
      <input name="password" type="password" required maxlength="256" autocomplete=${fresh ? 'new-password' : 'current-password'} ...${about('password')} />
      ${fresh && html`<small id=${`${name}-password-hint`}>${words.account.passwordHint}</small>`}</label>
    <p class="wrong" id=${`${name}-wrong`} role="alert">${wrong?.says}</p>
    <div class="form-buttons"><button type="submit" class=${fresh ? 'first' : ''} disabled=${busy}>${yes}</button></div>
  </form>`;
}

/** @param {{ you: Me }} props */
function Wallet({ you }) {
  const ask = async () => {
    try {
      const { given } = await api.cashier();
      await lookAgain();
      tell(words.account.given(money(given)));
    } catch (error) {
      complain(saying(error));
    }
  };
  return html`<div class="sheet wallet">
    <div><h2>${words.account.wallet}</h2><p class="wallet-sum">${money(you.wallet)}</p><p class="quiet">${words.account.playMoney}</p></div>
    <div class="cashier"><p>${words.account.cashierSays}</p>
      <button type="button" data-do="cashier" onClick=${ask}>${words.account.cashierDo}</button></div>
  </div>`;
}

/** An amount of a kind, to be read. @param {Kind} kind @param {number | null | undefined} most */
function amount(kind, most) {
  if (most === null || most === undefined) return words.account.none;
  return kind === 'time-per-day' ? words.account.minutes(Math.round(most / MINUTE)) : money(most);
}

function OwnLimits() {
  const { value, error, again } = useLoaded(api.limits, []);
  return html`<section class="sheet limits">
    <h2>${words.account.limits}</h2>
    <p class="quiet">${words.account.limitsSay}</p>
    ${!value ? h(Waiting, { error }) : html`<ul class="plain-list">
      ${KINDS.map(kind => html`<li key=${kind}>${h(OneLimit, { kind, limits: value, again })}</li>`)}
    </ul>`}
  </section>`;
}

/** @param {{ kind: Kind, limits: Limits, again: () => void }} props */
function OneLimit({ kind, limits, again }) {
  const limit = limits[kind];
  const name = words.account.kinds[kind];
  const unit = kind === 'time-per-day' ? MINUTE : 100;
  const [wrong, setWrong] = useState('');
  /** @param {number | null} most */
  const set = async most => {
    try {
      await api.setLimit(kind, most);
      setWrong('');
      tell(words.account.limitSet);
      again();
    } catch (error) {
      setWrong(saying(error));
    }
  };
  /** @param {Event} event */
  const submit = event => {
    event.preventDefault();
    const text = String(new FormData(/** @type {HTMLFormElement} */ (event.currentTarget)).get('most'));
    const most = Math.round(Number(text) * unit);
    if (text.trim() === '' || !Number.isSafeInteger(most) || most < 0) setWrong(words.account.noNumber);
    else set(most);
  };
  const inUnits = kind === 'time-per-day' ? words.account.inMinutes : words.account.inDollars;
  return html`<form class="limit" data-limit=${kind} onSubmit=${submit} noValidate>
    <div class="limit-now"><b>${name}</b>
      <span>${words.account.now(amount(kind, limit.most))}</span>
      ${limit.waiting && html`<span class="quiet">${sentence(words.account.waiting(amount(kind, limit.waiting.most), when(limit.waiting.begins)))}</span>`}
    </div>
    <input name="most" inputmode="decimal" autocomplete="off" placeholder=${inUnits} aria-label=${words.account.limitFor(name, inUnits)}
      aria-invalid=${wrong ? 'true' : undefined} aria-describedby=${`limit-${kind}-wrong`} />
    <button type="submit" class="small" aria-label=${words.account.setFor(name)}>${words.account.set}</button>
    <button type="button" class="small plain" disabled=${limit.most === null || limit.most === undefined}
      aria-label=${words.account.liftFor(name)} onClick=${() => set(null)}>${words.account.lift}</button>
    <p class="wrong" id=${`limit-${kind}-wrong`} role="alert">${wrong}</p>
  </form>`;
}

/** @param {{ you: Me }} props */
function Leave({ you }) {
  const [asked, ask] = useState(false);
  const out = async () => {
    ask(false);
    try {
      await leave();
      reopen();
      tell(words.account.gone);
    } catch (error) {
      complain(saying(error));
    }
  };
  return html`<div>
    <button type="button" data-do="leave" onClick=${() => (you.guest ? ask(true) : out())}>
      ${you.guest ? words.account.logoutGuest : words.account.logout}</button>
    ${asked && h(Confirm, {
      title: words.account.leaveTitle, says: words.account.leaveSays, yes: words.account.logout, danger: true, onYes: out,
      onNo: () => ask(false),
    })}
  </div>`;
}
