import { html } from '../html.js';
import { words } from '../words/en.js';

export default function Table() {
  return html`<section class="page"><h1>${words.nav.table}</h1></section>`;
}
