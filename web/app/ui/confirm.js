// A question that has to be answered before something is done for good.
import { useLayoutEffect, useRef } from 'preact/hooks';
import { html } from '../html.js';
import { words } from '../words/en.js';

/**
 * @param {{ title: string, says: string, yes: string, danger?: boolean, onYes: () => void, onNo: () => void }} props
 */
export function Confirm({ title, says, yes, danger = false, onYes, onNo }) {
  const dialog = useRef(/** @type {HTMLDialogElement | null} */ (null));
  useLayoutEffect(() => {
    const before = document.activeElement;
    dialog.current?.showModal();
    return () => {
      if (before instanceof HTMLElement) before.focus();
    };
  }, []);
  return html`<dialog ref=${dialog} class="confirm" aria-labelledby="confirm-title" onClose=${onNo}>
    <h2 id="confirm-title">${title}</h2>
    <p>${says}</p>
    <div class="form-buttons">
      <button type="button" class=${danger ? 'danger' : 'first'} data-do="yes" onClick=${onYes}>${yes}</button>
      <button type="button" data-do="no" onClick=${onNo}>${words.common.cancel}</button>
    </div>
  </dialog>`;
}
