import { html } from '../html.js';
import { words } from '../words/en.js';

export default function Lobby() {
  return html`<section class="page"><h1>${words.nav.lobby}</h1></section>`;
}
