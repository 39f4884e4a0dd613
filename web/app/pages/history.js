import { html } from '../html.js';
import { words } from '../words/en.js';

export default function History() {
  return html`<section class="page"><h1>${words.nav.history}</h1></section>`;
}
