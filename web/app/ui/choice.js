// One of a few, of which one is chosen.
import { html } from '../html.js';

/**
 * @param {{ name: string, label: string, labels: Record<string, string>, value: string, choose: (value: string) => void }} props
 */
export function Choice({ name, label, labels, value, choose }) {
  return html`<fieldset class="choice">
    <legend>${label}</legend>
    ${Object.entries(labels).map(([one, text]) => html`<label key=${one}>
      <input type="radio" name=${name} value=${one} checked=${value === one} onChange=${() => choose(one)} />
      <span>${text}</span></label>`)}
  </fieldset>`;
}
