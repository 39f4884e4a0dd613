import { html } from '../html.js';
import { words } from '../words/en.js';

export default function Trainer() {
  return html`<section class="page"><h1>${words.nav.trainer}</h1></section>`;
}
