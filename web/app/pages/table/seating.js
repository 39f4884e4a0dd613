// Taking a seat: at once where the house offers one, else as soon as the round that goes on is over.
import { useEffect, useState } from 'preact/hooks';
import { html } from '../../html.js';
import { money } from '../../format.js';
import { go, here } from '../../router.js';
import { keepSeat } from '../../seated.js';
import { begin } from '../../sitting.js';
import { words } from '../../words/en.js';
import { DOLLAR } from './money.js';
import { offers } from './play.js';

/** @import { Play } from './play.js' */

const text = words.table;

/** How many of the least wagers one brings along. */
const BRINGS = 100;

/** What one brings along to a table. @param {Play} play */
function brought({ info, you }) {
  const least = info?.posted.standard.minimum ?? 10 * DOLLAR;
  return Math.floor(Math.min(least * BRINGS, you?.wallet ?? 0) / DOLLAR) * DOLLAR;
}

/**
 * Takes a seat that is offered, and brings money where one has none here. It does not stay here without a seat.
 * @param {Play} play
 * @param {number} position
 */
export async function sitDown(play, position) {
  const { view, ask } = play;
  const amount = brought(play);
  const brings = !view.stack && amount > 0;
  if (brings && !await ask({ do: 'bring-money', amount })) return;
  if (!await ask({ do: 'sit', position }) && brings) await ask({ do: 'take-money', amount });
}

/** @typedef {{ wants: boolean, want: (wants: boolean) => void }} Wish whether one sits down when it is possible */

/** Whoever came to play sits down without being asked again. @param {Play} play @returns {Wish} */
export function useSitDown(play) {
  const [wants, want] = useState(false);
  const came = here.value.query.has('sit');
  const known = play.you !== null && play.info !== null;
  const offered = offers(play.view, 'sit')[0]?.position;
  useEffect(() => {
    if (!came || !known) return;
    go(`/table/${play.id}`, { replace: true });
    if (play.seats.length === 0) want(true);
  }, [came, known]);
  useEffect(() => {
    if (!wants || !known || offered === undefined) return;
    want(false);
    sitDown(play, offered);
  }, [wants, known, offered !== undefined]);

  // Whoever leaves the page finds back to where they sit, or have money.
  const person = play.you?.person;
  const stays = play.seats.length > 0 || (play.view.stack ?? 0) > 0;
  useEffect(() => {
    if (person === undefined) return;
    keepSeat(play.id, person, stays);
    if (stays) begin(person);
  }, [play.id, person, stays]);
  return { wants, want };
}

/** Someone who has no seat. @param {{ play: Play, wish: Wish }} props */
export function Seatless({ play, wish: { wants, want } }) {
  const { view, you } = play;
  const closed = play.update.closed !== null;
  if (you && you.role !== 'player') return html`<div class="panel"><p>${text.staff}</p></div>`;
  if (wants) {
    return html`<div class="panel" role="status"><div class="panel-head"><h2>${closed ? text.sitReopened : text.sitLater}</h2></div>
      <div class="panel-do"><button type="button" id="only-watch" onClick=${() => want(false)}>${text.onlyWatch}</button></div></div>`;
  }
  const free = !closed && view.seats.some(seat => seat.person === null);
  return html`<div class="panel"><div class="panel-head"><h2>${free ? text.sit : text.watching}</h2>
      <p class="quiet">${free ? text.sitSays(money(brought(play))) : closed ? text.watchingClosed : text.watchingSays}</p></div>
    ${free && html`<div class="panel-do"><button type="button" class="first" id="sit" onClick=${() => want(true)}>${text.sit}</button></div>`}
  </div>`;
}
