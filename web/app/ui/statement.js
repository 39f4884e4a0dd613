// What a round came to, line by line; why, one tap away.
import { h } from 'preact';
import { useState } from 'preact/hooks';
import { html } from '../html.js';
import { money } from '../format.js';
import { me } from '../session.js';
import { words } from '../words/en.js';
import { Gain } from './rounds.js';

/** @import { CitedClause, Fee, Line, On } from '../types.js' */
/** @import { Names } from './told.js' */

/** What was looked at, in a sentence. @param {On} on */
function reason(on) {
  if (on === 'bankers-low') return words.events.bankersLow;
  if ('held' in on) return words.cards.bonusHands[on.held];
  return words.events.hands(words.events.versus[on.hands.high], words.events.versus[on.hands.low]);
}

/** Clauses with what they say. @param {{ ids: string[], clauses: CitedClause[] }} props */
function Clauses({ ids, clauses }) {
  return html`<dl class="clauses">${ids.map(id => html`<div key=${id}><dt class="clause">${id}</dt>
    <dd>${clauses.find(it => it.clause === id)?.says ?? words.history.noSentence}</dd></div>`)}</dl>`;
}

/** @param {{ lines: Line[], fees: Fee[], clauses: CitedClause[], names: Names }} props */
export function Statement({ lines, fees, clauses, names }) {
  const you = me.value?.person;
  const own = lines.filter(line => line.owner !== 'house' && line.owner.person === you);
  const ownFees = fees.filter(fee => fee.person === you);
  const [whose, choose] = useState(own.length + ownFees.length > 0 ? 'own' : 'all');
  const shown = whose === 'own' ? own : lines;
  const shownFees = whose === 'own' ? ownFees : fees;
  return html`
    <fieldset class="choice"><legend class="only-read">${words.history.whose}</legend>
      ${(/** @type {const} */ (['own', 'all'])).map(value => html`<label key=${value}>
        <input type="radio" name="whose" value=${value} checked=${whose === value} onChange=${() => choose(value)} />
        <span>${words.history[value]}</span></label>`)}
    </fieldset>
    ${shown.length + shownFees.length === 0 ? html`<p class="quiet">${words.history.noOwn}</p>` : html`<ul class="statement">
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
          ${h(Clauses, { ids: line.clauses, clauses })}
        </div>
      </details></li>`)}
      ${shownFees.map((fee, at) => html`<li key=${`fee-${at}`} data-fee=${fee.amount}><details>
        <summary>
          <span class="line-bet"><b>${words.events.bets.fee}</b> <small>${names.person(fee.person)}</small></span>
          <span class="line-end"></span><span class="line-stake"></span>${h(Gain, { amount: -fee.amount })}
        </summary>
        <div class="line-why">${h(Clauses, { ids: [fee.clause], clauses })}</div>
      </details></li>`)}
    </ul>`}`;
}
