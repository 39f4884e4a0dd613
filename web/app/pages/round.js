import { html } from '../html.js';
import { words } from '../words/en.js';

export default function Round() {
  return html`<section class="page"><h1>${words.nav.round}</h1></section>`;
}
