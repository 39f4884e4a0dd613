// The rounds one took part in.
import { h } from 'preact';
import { html } from '../html.js';
import * as api from '../api.js';
import { Link } from '../router.js';
import { look } from '../session.js';
import { Waiting, useLoaded } from '../ui/loaded.js';
import { Rounds } from '../ui/rounds.js';
import { words } from '../words/en.js';

export default function History() {
  const { value, error } = useLoaded(async () => ({ you: await look() }), []);
  return html`<section class="page">
    <header class="page-head">
      <h1>${words.nav.history}</h1>
      <p class="quiet">${words.history.intro}</p>
      <p class="page-links">
        ${value?.you && html`<span>${words.history.export}:
          <a href="/api/history.csv" download="rounds.csv">${words.history.csv}</a>
          <a href="/api/history.jsonl" download="rounds.jsonl">${words.history.jsonLines}</a></span>`}
        ${h(Link, { to: '/proof' }, words.history.checkProof)}
      </p>
    </header>
    ${!value ? h(Waiting, { error })
      : value.you ? h(Rounds, { base: '/history', load: api.history, sum: true, none: h(None, null) })
      : html`<div class="sheet nothing"><p>${words.history.come}</p>
          <p>${h(Link, { to: '/account?to=/history', class: 'button first' }, words.account.login)}</p></div>`}
  </section>`;
}

function None() {
  return html`<p>${words.history.none}</p><p>${h(Link, { to: '/', class: 'button first' }, words.history.toLobby)}</p>`;
}
