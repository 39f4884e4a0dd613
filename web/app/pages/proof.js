// Any proof, pasted or opened from a file, checked in the browser.
import { h } from 'preact';
import { useState } from 'preact/hooks';
import { html } from '../html.js';
import { Verdict } from '../ui/proved.js';
import { words } from '../words/en.js';

export default function Proof() {
  const [text, setText] = useState('');
  const [noted, setNoted] = useState('');
  const [asked, ask] = useState(/** @type {{ text: string, published: string | null } | null} */ (null));

  /** @param {Event} event */
  const check = event => {
    event.preventDefault();
    ask({ text, published: noted.trim().toLowerCase() || null });
  };
  /** @param {Event} event */
  const open = async event => {
    const input = /** @type {HTMLInputElement} */ (event.currentTarget);
    const file = input.files?.[0];
    if (!file) return;
    const read = await file.text();
    // The same file can be opened again.
    input.value = '';
    setText(read);
    ask({ text: read, published: noted.trim().toLowerCase() || null });
  };
  return html`<section class="page narrow">
    <header class="page-head"><h1>${words.fair.title}</h1><p class="quiet">${words.fair.intro}</p></header>
    <form class="sheet form" onSubmit=${check}>
      <label class="field">
        <span>${words.fair.paste}</span>
        <textarea name="proof" rows="9" spellcheck="false" required value=${text} aria-describedby="proof-hint"
          onInput=${(/** @type {any} */ event) => setText(event.currentTarget.value)}></textarea>
        <small id="proof-hint">${words.fair.pasteHint}</small>
      </label>
      <label class="field">
        <span>${words.fair.commitment}</span>
        <input name="commitment" value=${noted} spellcheck="false" autocomplete="off" aria-describedby="noted-hint"
          onInput=${(/** @type {any} */ event) => setNoted(event.currentTarget.value)} />
        <small id="noted-hint">${words.fair.commitmentHint}</small>
      </label>
      <div class="form-buttons">
        <button type="submit" class="first">${words.fair.check}</button>
        <label class="button file"><span>${words.fair.open}</span>
          <input type="file" accept=".json,application/json" onChange=${open} /></label>
        <a href="/app/fair.js" target="_blank">${words.fair.code}</a>
      </div>
    </form>
    ${asked && h(Verdict, { ...asked, from: 'given' })}
  </section>`;
}
