// Templates: html`<p>…</p>` makes what `h('p', …)` makes.
import htm from 'htm';
import { h } from 'preact';

/** @type {(strings: TemplateStringsArray, ...values: unknown[]) => import('preact').VNode} */
export const html = /** @type {any} */ (htm.bind(h));
