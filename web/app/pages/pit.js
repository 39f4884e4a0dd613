import { html } from '../html.js';
import { words } from '../words/en.js';

export default function Pit() {
  return html`<section class="page"><h1>${words.nav.pit}</h1></section>`;
}
