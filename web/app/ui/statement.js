// What a round came to, line by line; why, one tap away.
import { h } from 'preact';
import { useState } from 'preact/hooks';
import { html } from '../html.js';
import { money } from '../format.js';
import { me } from '../session.js';
import { words } from '../words/en.js';
import { Gain } from './rounds.js';

/** @import { CitedClause, Line, On } from '../types.js' */
/** @import { Names } from './told.js' */

/** What was looked at, in a sentence. @param {On} on */
function reason(on) {
  if (on === 'bankers-low') return words.events.bankersLow;
  if ('held' in on) return words.cards.bonusHands[on.held];
  return words.events.hands(words.events.versus[on.hands.high], words.events.versus[on.hands.low]);
}

/** @param {{ lines: Line[], clauses: CitedClause[], names: Names }} props */
export function Statement({ lines, clauses, names }) {
  const own = lines.filter(line => line.owner !== 'house' && line.owner.person === me.value?.person);
  const [whose, choose] = useState(own.length > 0 ? 'own' : 'all');
  const shown = whose === 'own' ? own : lines;
  return html`
    <fieldset class="choice"><legend class="only-read">${words.history.whose}</legend>
      ${(/** @type {const} */ (['own', 'all'])).map(value => html`<label key=${value}>
        <input type="radio" name="whose" value=${value} checked=${whose === value} onChange=${() => choose(value)} />
        <span>${words.history[value]}</span></label>`)}
    </fieldset>
    ${shown.length === 0 ? html`<p class="quiet">${words.history.noOwn}</p>` : html`<ul class="statement">
      ${shown.map((line, at) => html`<li key=${at}><details>
        <summary>
          <span class="line-bet"><b>${words.events.bets[line.bet]}</b> <small>${names.seat(line.position)}</small></span>
          <span class=${`line-end ${line.ending}`}>${words.events.endings[line.ending]}</span>
          <span class="line-stake">${money(line.stake)}</span>
          ${h(Gain, { amount: line.paid - line.taken - line.commission })}
        </summary>
        <div class="line-why">
          ${line.on && html`<p>${reason(line.on)}</p>`}
          <p class="quiet">${[
            line.paid > 0 && words.history.paid(money(line.paid)),
            line.taken > 0 && words.history.taken(money(line.taken)),
            line.back > 0 && words.history.back(money(line.back)),
            line.commission > 0 && words.history.commission(money(line.commission)),
          ].filter(Boolean).join(' · ')}</p>
          <dl class="clauses">${line.clauses.map(id => html`<div key=${id}><dt class="clause">${id}</dt>
            <dd>${clauses.find(it => it.clause === id)?.says ?? words.history.noSentence}</dd></div>`)}</dl>
        </div>
      </details></li>`)}
    </ul>`}`;
}
