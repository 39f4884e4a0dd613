// Coming in by name and password, getting a name to keep what one has, and going. Guests need none of it.
import { h } from 'preact';
import { useState } from 'preact/hooks';
import * as api from '../api.js';
import { html } from '../html.js';
import { leave, me, take } from '../session.js';
import { reopen } from '../socket.js';
import { words } from '../words/en.js';
import { Dialog } from './dialog.js';

const text = words.common.account;

/** @param {{ close: () => void }} props */
export function Account({ close }) {
  const [wrong, setWrong] = useState('');
  const [busy, setBusy] = useState(false);
  /** @param {() => Promise<unknown>} what */
  const attempt = async what => {
    setBusy(true);
    setWrong('');
    try {
      await what();
      reopen();
      close();
    } catch (error) {
      setWrong(error instanceof api.Refused ? error.message : words.common.unreachable);
      setBusy(false);
    }
  };
  /** @param {SubmitEvent} event */
  const submit = event => {
    event.preventDefault();
    const data = new FormData(/** @type {HTMLFormElement} */ (event.currentTarget));
    const [name, password] = [String(data.get('name')), String(data.get('password'))];
    const way = event.submitter?.getAttribute('value') === 'register' ? api.register : api.login;
    attempt(async () => take((await way(name, password)).you));
  };
  const known = me.value && !me.value.guest;
  return h(Dialog, { title: known ? text.yours : text.heading, close }, known
    ? html`<p>${text.inAs(me.value?.name ?? '')}</p>
        <div class="panel-do"><button type="button" id="log-out" disabled=${busy} onClick=${() => attempt(leave)}>${text.logout}</button></div>`
    : html`<p class="quiet">${text.says}</p>
      <form class="account" onSubmit=${submit}>
        <label>${text.name}<input name="name" autocomplete="username" required /></label>
        <label>${text.password}<input name="password" type="password" autocomplete="current-password" minlength="8" required /></label>
        <p class="wrong" role="alert">${wrong}</p>
        <div class="panel-do">
          <button type="submit" class="first" value="login" id="log-in" disabled=${busy}>${text.login}</button>
          <button type="submit" value="register" id="register" disabled=${busy}>${text.register}</button>
        </div>
      </form>`);
}
