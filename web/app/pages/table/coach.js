// The coach: what a setting is worth exactly, beside the best one and the House Way. It says nothing before hands are
// set where a clause forbids advice, and nothing at all when it is turned off.
import { h } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { signal } from '@preact/signals';
import * as api from '../../api.js';
import { html } from '../../html.js';
import { money, number, percent, worth } from '../../format.js';
import { coach } from '../../theme.js';
import { Figures, numbers } from '../../ui/figures.js';
import { words } from '../../words/en.js';
import { key } from './play.js';

/** @import { Advice, Advised, Card } from '../../types.js' */
/** @import { Play } from './play.js' */

const text = words.table.coach;

/** What was judged since this page was opened, by table and round. */
const judged = signal(/** @type {Map<string, { best: boolean, cost: number }>} */ (new Map()));

/** @param {string} rules @param {Card[]} cards */
function useAdvice(rules, cards) {
  const [advice, setAdvice] = useState(/** @type {Advice | null} */ (null));
  const wanted = cards.length === 7 && coach.value === 'on';
  useEffect(() => {
    setAdvice(null);
    // Where nothing is known of the rules any more, nothing is said.
    if (wanted) api.advise(rules, cards).then(setAdvice, () => {});
  }, [rules, cards.join(), wanted]);
  return advice;
}

/** @param {Advice} advice @param {Card[]} low */
const find = (advice, low) => advice.settings.find(it => key(it.setting.low) === key(low));

/**
 * Advice while a hand is set, where it may be given.
 * @param {{ play: Play, cards: Card[], low: Card[], arrange: (low: Card[]) => void }} props
 */
export function Asking({ play, cards, low, arrange }) {
  const [asked, setAsked] = useState('');
  const forbidden = play.info?.['no-advice'];
  const allowed = play.info !== null && !forbidden;
  const advice = useAdvice(play.view.rules, allowed && asked ? cards : []);
  if (coach.value === 'off') return null;
  if (forbidden) return html`<p class="coach-note quiet">${text.later(forbidden)}</p>`;
  if (!allowed) return null;
  const own = advice && asked === key(low) ? find(advice, low) : undefined;
  const best = advice?.settings[0];
  return html`<div class="coach-note">
    <button type="button" class="small" disabled=${low.length < 2} onClick=${() => setAsked(key(low))}>${text.ask}</button>
    ${low.length < 2 && html`<span class="quiet">${text.first}</span>`}
    ${own && best && html`<span role="status">${verdict(own, best, text.cost)}</span>`}
    ${own && best && own !== best && html`<button type="button" class="small" onClick=${() => arrange(best.setting.low)}>${text.show}</button>`}
  </div>`;
}

/** @param {Advised} own @param {Advised} best @param {(cost: string) => string} says */
const verdict = (own, best, says) => (own.value >= best.value ? text.best : says(percent(best.value - own.value, 3)));

/**
 * What the last hand was worth.
 * @param {{ play: Play, cards: Card[], low: Card[], fouled: boolean, stake: number, round: number }} props
 */
export function Judged({ play, cards, low, fouled, stake, round }) {
  const advice = useAdvice(play.view.rules, cards);
  const own = advice && find(advice, low);
  const best = advice?.settings[0];
  const house = advice?.settings.find(it => it['house-way']);
  const cost = own && best ? Math.max(0, best.value - own.value) : 0;
  useEffect(() => {
    if (!own || !best) return;
    judged.value = new Map(judged.value).set(`${play.id}/${round}`, { best: cost === 0, cost: cost * stake });
  }, [own, best]);
  if (coach.value === 'off' || !advice || !own || !best || !house) return null;
  /** @type {[string, Advised][]} */
  const rows = [[text.yours, own]];
  if (best.value > own.value) rows.push([text.bestWay, best]);
  if (house !== own && house !== best) rows.push([text.house, house]);
  return html`<section class="coach" aria-labelledby="coach-heading">
    <h3 id="coach-heading">${text.heading}</h3>
    <p>${[
      verdict(own, best, text.wasCost), own === house && text.alsoHouse, fouled && text.fouled,
      cost > 0 && text.costs(money(Math.round(cost * stake)), money(stake)),
    ].filter(Boolean).join(' ')}</p>
    ${h(Figures, {
      by: 'coach-heading',
      columns: [{ name: text.way }, { name: words.table.low }, ...numbers([text.win, text.push, text.lose, text.value])],
      rows: rows.map(([name, it]) => ({ key: name, cells: [
        name, it.setting['low-is'], ...[it.win, it.push, it.lose].map(count => percent(count / advice.deals, 1)), worth(it.value),
      ] })),
    })}
    <p class="quiet">${text.exact(number(advice.deals))}</p>
  </section>`;
}

/** What mistakes have cost so far. */
export function Summary() {
  if (coach.value === 'off') return html`<p class="quiet">${text.off}</p>`;
  const all = [...judged.value.values()];
  if (all.length === 0) return html`<p class="quiet">${text.none}</p>`;
  const cost = Math.round(all.reduce((sum, it) => sum + it.cost, 0));
  const sum = `${text.hands(all.length, all.filter(it => it.best).length)}.`;
  return html`<p>${cost > 0 ? `${sum} ${text.lost(money(cost))}` : sum}</p>`;
}

/** The coach's corner beside the table. */
export function Corner() {
  return html`<section class="corner"><h2>${text.heading}</h2>${h(Summary, null)}</section>`;
}
