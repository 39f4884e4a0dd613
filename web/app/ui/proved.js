// A proof, checked here in the browser, and what came of it.
import { h } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { html } from '../html.js';
import { NotProved, verify } from '../fair.js';
import { number } from '../format.js';
import { me } from '../session.js';
import { Card, cardOf } from './card.js';
import { words } from '../words/en.js';

/** @import { Proved } from '../fair.js' */

/**
 * Checks a proof and says what came of it.
 * @param {{ text: string, published: string | null, from: 'given' | 'noted' }} props the document; the commitment as
 *   it was seen before the first wager, and where it is known from
 */
export function Verdict({ text, published, from }) {
  const [found, set] = useState(/** @type {Proved | NotProved | null} */ (null));
  useEffect(() => {
    let gone = false;
    set(null);
    verify(text, published).then(
      proved => gone || set(proved),
      error => gone || set(error instanceof NotProved ? error : new NotProved('', 'not-json')),
    );
    return () => {
      gone = true;
    };
  }, [text, published]);
  return html`<div class="verdict-place" aria-live="polite">
    ${found === null ? html`<p class="quiet">${words.fair.checking}</p>`
      : found instanceof NotProved ? h(Wrong, { found })
      : h(Right, { found, published, from })}
  </div>`;
}

/** @param {{ found: NotProved }} props */
function Wrong({ found }) {
  return html`<div class="verdict not-proved">
    <h3><span aria-hidden="true">✗</span> ${words.fair.notProved}</h3>
    <p>${words.fair.why[found.why]?.(String(found.is ?? '')) ?? found.why}</p>
    <p class="quiet"><code>${words.fair.where(found.at)}</code></p>
  </div>`;
}

/** @param {{ found: Proved, published: string | null, from: 'given' | 'noted' }} props */
function Right({ found, published, from }) {
  const { cards, cut } = found;
  const said = found.words;
  // Numbers of people are those of the house that one is in.
  const own = (/** @type {bigint} */ person) =>
    (from === 'noted' && Number(person) === me.value?.person ? words.events.you : words.events.person(Number(person)));
  return html`<div class="verdict proved">
    <h3><span aria-hidden="true">✓</span> ${words.fair.proved}</h3>
    <ul class="checks">
      <li>${found.whole ? words.fair.whole : words.fair.cards(cards.length)}</li>
      ${found.number !== null && html`<li>${words.fair.number(found.number)}</li>`}
      <li>${said.length === 0 ? words.fair.uncut : words.fair.cut(said.length, cut)}</li>
      <li class=${published === null ? 'open' : ''}>${published === null
        ? words.fair[from === 'given' ? 'notGiven' : 'notNoted'] : words.fair[from === 'given' ? 'asGiven' : 'asNoted']}</li>
    </ul>
    <dl class="facts">
      <dt>${words.fair.labels.deal}</dt><dd>${words.fair.deal(found.table, String(found.round))}</dd>
      <dt>${words.fair.labels.commitment}</dt><dd><code>${found.commitment}</code></dd>
      <dt>${words.fair.labels.words}</dt>
      <dd>${said.length === 0 ? words.fair.nobody
        : said.map(it => html`<div key=${it.person}>${words.fair.said(own(it.person), it.words)}</div>`)}</dd>
    </dl>
    ${cards.length > 0 && html`<details>
      <summary>${words.fair.labels.cards}</summary>
      <ol class="proved-cards">
        ${cards.map(([place, card]) => html`<li key=${place}><span>${number(place)}</span>${h(Card, { card: cardOf(card) })}</li>`)}
      </ol>
    </details>`}
  </div>`;
}
