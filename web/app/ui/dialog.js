// A question or a form on top of the page. The browser keeps the focus inside and closes it with Escape.
import { useEffect, useRef } from 'preact/hooks';
import { html } from '../html.js';
import { words } from '../words/en.js';

/**
 * @param {{ title: string, close: () => void, children?: import('preact').ComponentChildren }} props
 */
export function Dialog({ title, close, children }) {
  const dialog = useRef(/** @type {HTMLDialogElement | null} */ (null));
  useEffect(() => {
    dialog.current?.showModal();
  }, []);
  return html`<dialog ref=${dialog} onClose=${close} aria-labelledby="dialog-title">
    <div class="dialog-head">
      <h2 id="dialog-title">${title}</h2>
      <button type="button" class="plain" aria-label=${words.common.close} onClick=${() => dialog.current?.close()}>×</button>
    </div>
    ${children}
  </dialog>`;
}
