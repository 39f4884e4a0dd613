import { html } from '../html.js';
import { words } from '../words/en.js';

export default function Odds() {
  return html`<section class="page"><h1>${words.nav.odds}</h1></section>`;
}
