// A hand as it is set: two cards in front, five behind, and what both are called.
import { h } from 'preact';
import { html } from '../html.js';
import { words } from '../words/en.js';
import { Card } from './card.js';

/** @import { Card as OneCard, Set as SetCards } from '../types.js' */

/** A few cards beside one another. @param {{ cards: OneCard[], class?: string }} props */
export function Cards({ cards, class: name = '' }) {
  return html`<span class=${`cards ${name}`}>${cards.map(card => h(Card, { card, key: card }))}</span>`;
}

/** @param {{ setting: SetCards, named?: boolean }} props */
export function Setting({ setting, named = true }) {
  return html`<div class="set-hand">
    <div class="set-part set-low">
      <span class="set-label">${words.lookUp.low}</span>
      ${h(Cards, { cards: setting.low })}
      ${named && html`<span class="set-name">${setting['low-is']}</span>`}
    </div>
    <div class="set-part set-high">
      <span class="set-label">${words.lookUp.high}</span>
      ${h(Cards, { cards: setting.high })}
      ${named && html`<span class="set-name">${setting['high-is']}</span>`}
    </div>
  </div>`;
}
