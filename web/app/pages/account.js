// Who one is: coming in, going, one's money and one's own limits.
import { h } from 'preact';
import { useState } from 'preact/hooks';
import { html } from '../html.js';
import * as api from '../api.js';
import { duration, gain, money, when } from '../format.js';
import { go, here } from '../router.js';
import { leave, look, lookAgain, me, take } from '../session.js';
import { standing } from '../sitting.js';
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
    ${you && !you.guest && h(Password, null)}
    ${you && h(Leave, { you })}
  </section>`;
}

/** @param {{ you: Me }} props */
function About({ you }) {
  const role = words.account.roles[you.operator ? 'operator' : you.role];
  return html`<p class="quiet">${role}${you['last-login'] ? ` · ${words.account.lastLogin(when(you['last-login']))}` : ''}</p>`;
}

/**
 * @typedef {object} Field
 * @property {string} name as the house calls it
 * @property {string} label
 * @property {string} [hint]
 * @property {string} autocomplete
 * @property {boolean} [secret]
 */

/**
 * A form that the house may refuse, and says where.
 * @param {{ name: string, title: string, says?: string, yes: string, first: boolean, fields: Field[],
 *   send: (given: Record<string, string>) => Promise<void> }} props
 */
function Form({ name, title, says, yes, first, fields, send }) {
  const [wrong, setWrong] = useState(/** @type {{ field: string | null, says: string } | null} */ (null));
  const [busy, setBusy] = useState(false);
  /** @param {Event} event */
  const submit = async event => {
    event.preventDefault();
    const form = /** @type {HTMLFormElement} */ (event.currentTarget);
    const given = Object.fromEntries([...new FormData(form)].map(([field, value]) => [field, String(value)]));
    setBusy(true);
    setWrong(null);
    try {
      await send(given);
      form.reset();
    } catch (error) {
      setWrong({ field: error instanceof api.Refused ? error.fault.field ?? null : null, says: saying(error) });
    }
    setBusy(false);
  };
  return html`<form class="sheet form" name=${name} aria-labelledby=${`${name}-title`} onSubmit=${submit}>
    <h2 id=${`${name}-title`}>${title}</h2>
    ${says && html`<p class="quiet">${says}</p>`}
    ${fields.map(field => html`<label class="field" key=${field.name}><span>${field.label}</span>
      <input name=${field.name} type=${field.secret ? 'password' : 'text'} required maxlength=${field.secret ? 256 : 64}
        autocomplete=${field.autocomplete} autocapitalize="off" spellcheck="false"
        aria-invalid=${wrong?.field === field.name ? 'true' : undefined}
        aria-describedby=${[field.hint && `${name}-${field.name}-hint`, wrong && `${name}-wrong`].filter(Boolean).join(' ') || undefined} />
      ${field.hint && html`<small id=${`${name}-${field.name}-hint`}>${field.hint}</small>`}</label>`)}
    <p class="wrong" id=${`${name}-wrong`} role="alert">${wrong?.says}</p>
    <div class="form-buttons"><button type="submit" class=${first ? 'first' : ''} disabled=${busy}>${yes}</button></div>
  </form>`;
}

/**
 * A name and a password.
 * @param {{ name: string, title: string, yes: string, fresh: boolean,
 *   come: (name: string, password: string) => Promise<Come> }} props `fresh` where both are chosen now
 */
function Door({ name, title, yes, fresh, come }) {
  /** @param {Record<string, string>} given */
  const send = async given => {
    const { you } = await come(given.name ?? '', given.password ?? '');
    take(you);
    // Tables are watched as whoever one is now.
    reopen();
    tell(words.account.welcome(you.name));
    // Whoever came from another page goes back there.
    const to = here.value.query.get('to');
    if (to && /^\/(?!\/)/.test(to)) go(to, { replace: true });
  };
  return h(Form, { name, title, yes, first: fresh, send, fields: [
    { name: 'name', label: words.account.name, autocomplete: 'username', ...(fresh && { hint: words.account.nameHint }) },
    { name: 'password', label: words.account.password, secret: true, autocomplete: fresh ? 'new-password' : 'current-password',
      ...(fresh && { hint: words.account.passwordHint }) },
  ] });
}

function Password() {
  /** @param {Record<string, string>} given */
  const send = async given => {
    take((await api.changePassword(given.old ?? '', given.new ?? '')).you);
    // Every session has ended but the one that came with the new password.
    reopen();
    tell(words.account.passwordChanged);
  };
  return h(Form, {
    name: 'password', title: words.account.changePassword, says: words.account.changePasswordSays,
    yes: words.account.changePasswordDo, first: false, send, fields: [
      { name: 'old', label: words.account.oldPassword, secret: true, autocomplete: 'current-password' },
      { name: 'new', label: words.account.newPassword, secret: true, autocomplete: 'new-password', hint: words.account.passwordHint },
    ],
  });
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
  const sitting = standing(you.person);
  return html`<div class="sheet wallet">
    <div><h2>${words.account.wallet}</h2><p class="wallet-sum">${money(you.wallet)}</p>
      ${sitting && html`<p>${words.account.sitting(gain(sitting.gained), duration(sitting.lasted))}</p>`}
      <p class="quiet">${words.account.playMoney}</p></div>
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
