// Money at a table: from the wallet and back, from the cashier, and what to do when it is too little to bet.
import { h } from 'preact';
import { useState } from 'preact/hooks';
import * as api from '../../api.js';
import { html } from '../../html.js';
import { money } from '../../format.js';
import { go } from '../../router.js';
import { lookAgain, me } from '../../session.js';
import { Dialog } from '../../ui/dialog.js';
import { saying } from '../../ui/loaded.js';
import { complain, tell } from '../../ui/toast.js';
import { words } from '../../words/en.js';
import { offers } from './play.js';

/** @import { Play } from './play.js' */

const text = words.table;

export const DOLLAR = 100;

/** Asks the cashier for more. */
const cashier = () => api.cashier().then(
  async ({ given }) => {
    tell(text.given(money(given)));
    await lookAgain();
  },
  error => complain(saying(error)),
);

/** The seats that one may get up from now. @param {Play} play */
export const leaves = ({ view, seats }) =>
  offers(view, 'leave').filter(offer => seats.some(seat => seat.position === offer.position));

/** Gets up and takes along what one has. @param {Play} play */
export async function getUp(play) {
  const { view, ask } = play;
  for (const { position } of leaves(play)) if (!await ask({ do: 'leave', position })) return;
  if (view.stack && offers(view, 'take-money').length > 0) await ask({ do: 'take-money', amount: view.stack });
  tell(text.left);
  await lookAgain();
  go('/');
}

/** Money between the wallet and the table. @param {{ play: Play, close: () => void }} props */
export function Money({ play, close }) {
  const { view, ask } = play;
  const bring = offers(view, 'bring-money')[0];
  const take = offers(view, 'take-money')[0];
  const wallet = me.value?.wallet ?? 0;
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
    !bring && !take && html`<p>${text.moneyLater}</p>`,
    html`<p><button type="button" class="small" onClick=${cashier}>${text.cashier}</button></p>`);
}

/** Whether one sits where bets are open and cannot afford the least of them. @param {Play} play */
export const isShort = ({ view, info, seats }) => info !== null && view.phase.name === 'betting' && seats.length > 0
  && (view.stack ?? 0) < info.posted.standard.minimum && seats.every(seat => (seat.stakes.standard ?? []).length === 0);

/** What one can do then. @param {{ play: Play }} props */
export function Short({ play }) {
  const [open, setOpen] = useState(false);
  const wallet = me.value?.wallet ?? 0;
  return html`<div class="panel short">
    <div class="panel-head"><h2>${text.short(money(play.view.stack ?? 0), money(play.info?.posted.standard.minimum ?? 0))}</h2>
      <p class="quiet">${text.inWallet(money(wallet))}</p></div>
    <div class="panel-do">
      ${wallet > 0 && offers(play.view, 'bring-money').length > 0 && html`<button type="button" class="first" id="bring-money" onClick=${() => setOpen(true)}>${text.bringMoney}</button>`}
      <button type="button" id="ask-cashier" onClick=${cashier}>${text.cashier}</button>
      ${leaves(play).length > 0 && html`<button type="button" onClick=${() => getUp(play)}>${text.leave}</button>`}
    </div>
    ${open && h(Money, { play, close: () => setOpen(false) })}
  </div>`;
}
