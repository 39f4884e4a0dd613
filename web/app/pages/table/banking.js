// The bank: whether to take it, with how much, and what the house wagers against it.
import { useState } from 'preact/hooks';
import { html } from '../../html.js';
import { money } from '../../format.js';
import { words } from '../../words/en.js';
import { offers } from './play.js';

/** @import { Play } from './play.js' */

const text = words.table;

/** Banks are put up in whole dollars. */
const DOLLAR = 100;

/** @param {{ play: Play }} props */
export function BankOffer({ play }) {
  const { view, ask } = play;
  const offer = offers(view, 'take-bank')[0];
  const decline = offers(view, 'decline-bank').length > 0;
  const held = view.bank?.banker === 'player' && view.bank.person === play.you?.person;
  const [put, setPut] = useState(/** @type {number | null} */ (null));
  const [house, setHouse] = useState(0);
  const [busy, setBusy] = useState(false);
  if (!offer) return null;
  const { least, most, covers, step } = offer;
  const houseMost = offer['house-wager'];
  const amount = Math.min(Math.max(put ?? Math.floor(most / 2 / DOLLAR) * DOLLAR, least, covers + house), most);
  /** @param {() => Promise<boolean>} what */
  const once = async what => {
    setBusy(true);
    await what();
    setBusy(false);
  };
  return html`<div class="panel bank">
    <div class="panel-head"><h2>${held ? text.yourBank : text.bankOffer}</h2>
      <p class="quiet">${held ? text.yourBankSays : text.bankSays} ${covers > 0 ? text.bankCovers(money(covers)) : ''}</p></div>
    <div class="bank-amounts">
      <label for="bank-amount">${text.bankAmount} <output>${money(amount)}</output></label>
      <input id="bank-amount" type="range" min=${least} max=${most} step=${DOLLAR} value=${amount}
        aria-valuetext=${money(amount)}
        onInput=${(/** @type {Event} */ event) => setPut(Number(/** @type {HTMLInputElement} */ (event.currentTarget).value))} />
      ${houseMost > 0 && html`
        <label for="house-wager">${text.houseWager} <output>${house === 0 ? text.none : money(house)}</output></label>
        <input id="house-wager" type="range" min="0" max=${houseMost} step=${step} value=${house}
          aria-valuetext=${money(house)}
          onInput=${(/** @type {Event} */ event) => setHouse(Number(/** @type {HTMLInputElement} */ (event.currentTarget).value))} />`}
    </div>
    <div class="panel-do">
      <button type="button" class="first" id="take-bank" disabled=${busy}
        onClick=${() => once(() => ask({ do: 'take-bank', 'put-up': amount, 'house-wager': house }))}>
        ${held ? text.bankMore : text.takeBank}</button>
      ${decline && html`<button type="button" id="decline-bank" disabled=${busy}
        onClick=${() => once(() => ask({ do: 'decline-bank' }))}>${text.declineBank}</button>`}
    </div>
  </div>`;
}

/** Whoever banks waits for the others' wagers. @param {{ play: Play }} props */
export function BankHeld({ play }) {
  const { view, ask, update, you } = play;
  const bank = view.bank;
  if (bank?.banker !== 'player' || !you) return null;
  const ready = update.ready.includes(you.person);
  return html`<div class="panel bank">
    <div class="panel-head"><h2>${text.yourBank}</h2>
      <p class="quiet">${text.putUp(money(bank['put-up']))}. ${text.yourBankSays}</p></div>
    <div class="panel-do">
      <button type="button" class="first" id="bank-ready" disabled=${ready} onClick=${() => ask({ do: 'ready' })}>${text.bankReady}</button>
    </div>
  </div>`;
}
