import { html } from '../html.js';
import { words } from '../words/en.js';

export default function Rules() {
  return html`<section class="page"><h1>${words.nav.rules}</h1></section>`;
}
