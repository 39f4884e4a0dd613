// The foot of every page: which program this is, and where programs talk to it.
import { h } from 'preact';
import { html } from '../html.js';
import * as api from '../api.js';
import { Link } from '../router.js';
import { words } from '../words/en.js';
import { useLoaded } from './loaded.js';

export function Footer() {
  const { value } = useLoaded(api.ready, []);
  return html`<footer class="footer">
    <span class="footer-name">${words.common.name} ${value?.version}</span>
    <span>${words.common.playMoney}</span>
    ${h(Link, { to: '/proof' }, words.nav.proof)}
    <a href="/api/docs">${words.nav.api}</a>
  </footer>`;
}
