import { html } from '../html.js';
import { words } from '../words/en.js';

export default function LookUp() {
  return html`<section class="page"><h1>${words.nav.lookUp}</h1></section>`;
}
