// Setting a hand: cards go Low or High by drag, tap or key; both hands are named as they change; a foul is said
// before it is laid down. Which two cards would foul is in the offer, what hands are called is asked of the house.
import { h } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import * as api from '../../api.js';
import { html } from '../../html.js';
import { cardSound } from '../../sound.js';
import { mayMove, order } from '../../theme.js';
import { Card, bySuit, cardName, cardOf } from '../../ui/card.js';
import { Clause } from '../../ui/clause.js';
import { Dialog } from '../../ui/dialog.js';
import { saying } from '../../ui/loaded.js';
import { complain } from '../../ui/toast.js';
import { words } from '../../words/en.js';
import { Asking } from './coach.js';
import { key, offers, pairs, useNames } from './play.js';

/** @import { Ask, Card as OneCard } from '../../types.js' */
/** @import { Play } from './play.js' */

const text = words.table;

/** How far a card is moved before it is a drag, in pixels. */
const DRAG = 6;

/**
 * @typedef {object} Task a hand to be set
 * @property {string} title
 * @property {OneCard[]} cards in the house's order
 * @property {Set<string>} fouls the pairs that would be a foul
 * @property {boolean} loses whether a foul would lose the hand
 * @property {(low: OneCard[]) => Ask} lay
 * @property {number | null} position
 */

/** The hand that is to be set now, if any. @param {Play} play @returns {Task | null} */
export function task({ view }) {
  const banker = offers(view, 'set-banker')[0];
  if (banker && view.banker?.cards === 'dealt') {
    return {
      title: text.setBanker,
      cards: view.banker.dealt,
      fouls: new Set(banker.fouls.map(key)),
      loses: false,
      lay: low => ({ do: 'set-banker', low }),
      position: null,
    };
  }
  for (const offer of offers(view, 'set')) {
    const hand = view.seats.find(seat => seat.position === offer.position)?.hand;
    if (hand?.cards !== 'dealt') continue;
    const { position } = offer;
    return {
      title: text.setHand,
      cards: hand.dealt,
      fouls: new Set(offer.fouls.map(key)),
      loses: offer['foul-loses'],
      lay: low => ({ do: 'set', position, low }),
      position,
    };
  }
  return null;
}

/**
 * How the house would set a hand. A rulebook that the operator has taken away since the table was opened is not looked
 * up any more: there only the dealer sets by it, for good. So nothing else that goes wrong may be taken for that.
 * @param {string} rules
 * @param {OneCard[]} cards
 */
const lookUp = (rules, cards) => api.setHand(rules, cards).catch(error => {
  if (error instanceof api.Refused && error.fault.code === 'not-found') return null;
  throw error;
});

/** @param {{ play: Play, task: Task }} props */
export function Setting({ play, task: { title, cards, fouls, loses, lay, position } }) {
  const { view, ask, rules } = play;
  const [low, setLow] = useState(/** @type {OneCard[]} */ ([]));
  const [past, setPast] = useState(/** @type {OneCard[][]} */ ([]));
  const [told, tell] = useState('');
  const [sure, setSure] = useState(false);
  const [busy, setBusy] = useState(false);
  const [unread, setUnread] = useState(false);
  const names = useNames(play.id, pairs(cards));
  const zones = useRef(/** @type {HTMLElement | null} */ (null));
  useMoves(zones, low.join());

  const sorted = order.value === 'suit' ? bySuit(cards) : cards;
  const high = sorted.filter(card => !low.includes(card));
  const whole = low.length === 2;
  const named = whole ? names.get(key(low)) : undefined;
  const foul = whole && fouls.has(key(low));

  /** @param {OneCard[]} next */
  const change = next => {
    setPast([...past, low]);
    setLow(next);
    tell('');
    cardSound();
  };
  /** Moves a card to the other side. @param {OneCard} card @param {OneCard} [instead] the Low card that makes room */
  const move = (card, instead) => {
    if (low.includes(card)) change(low.filter(it => it !== card));
    else if (low.length < 2) change([...low, card]);
    else change([...low.filter(it => it !== (instead ?? low[0])), card]);
  };
  const undo = () => {
    const last = past.at(-1);
    if (!last) return;
    setLow(last);
    setPast(past.slice(0, -1));
  };
  /** @param {() => Promise<unknown>} what */
  const once = async what => {
    setBusy(true);
    try {
      await what();
    } catch (error) {
      complain(saying(error));
    }
    setBusy(false);
  };
  const layDown = () => once(() => ask(lay(low)));

  const askable = !unread && offers(view, 'ask-house-way').some(offer => offer.position === position);
  const settable = offers(view, 'set-house-way').some(offer => offer.position === position);
  const houseWay = () => once(async () => {
    if (position === null) return;
    if (!askable) {
      await ask({ do: 'set-house-way', position });
      return;
    }
    const way = await lookUp(view.rules, cards);
    if (!way) {
      setUnread(true);
      tell(text.houseWayUnread);
    } else if (await ask({ do: 'ask-house-way', position })) {
      change(way.setting.low);
      tell(text.houseWaySays(way.clause, way.why));
    }
  });

  /** @param {KeyboardEvent} event */
  const press = event => {
    const typing = event.target instanceof Element && event.target.closest('input, select, textarea, dialog');
    if (event.ctrlKey || event.metaKey || event.altKey || typing || sure || busy) return;
    const letter = event.key.toLowerCase();
    const all = [...(zones.current?.querySelectorAll('button.playing') ?? [])];
    const at = all.indexOf(/** @type {Element} */ (document.activeElement));
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (step && at >= 0) {
      event.preventDefault();
      /** @type {HTMLElement} */ (all[(at + step + all.length) % all.length]).focus();
    } else if (letter === 'u') undo();
    else if (letter === 'h' && (askable || settable)) houseWay();
    else if (letter === 'l' && whole) {
      if (foul) setSure(true);
      else layDown();
    }
  };

  // Keys are heard wherever the focus is, and by what is on the screen when they are pressed.
  useLayoutEffect(() => {
    document.addEventListener('keydown', press);
    return () => document.removeEventListener('keydown', press);
  });

  const foulRule = rules?.choices.find(choice => choice.about === 'foul hand');
  /** @param {OneCard} card */
  const button = card => h(Playing, { card, low: low.includes(card), move, key: card });
  return html`<div class="panel setting">
    <div class="panel-head"><h2>${title}</h2><p class="quiet">${text.setSays}</p></div>
    <div class="zones" ref=${zones}>
      <div class=${`zone low ${foul ? 'foul' : ''}`} data-zone="low">
        <h3>${text.low} <span class="zone-is">${named?.['low-is'] ?? text.toGo(2 - low.length)}</span></h3>
        <div class="zone-cards">${low.map(button)}
          ${Array.from({ length: 2 - low.length }, (_, at) => html`<span class="slot" key=${at} aria-hidden="true"></span>`)}</div>
      </div>
      <div class=${`zone high ${foul ? 'foul' : ''}`} data-zone="high">
        <h3>${text.high} <span class="zone-is">${named?.['high-is'] ?? ''}</span></h3>
        <div class="zone-cards">${high.map(button)}</div>
      </div>
    </div>
    <p class="only-read" role="status">${named ? text.announce(named['high-is'], named['low-is']) : ''}</p>
    ${foul && html`<div class="foul-warning" role="alert">
      <strong>${text.foul}</strong> ${text.foulSays} ${loses && text.foulLoses}
      ${foulRule && html`<span> ${text.foulThen(foulRule.is)}</span> ${h(Clause, { id: foulRule.clauses, rules })}`}
    </div>`}
    ${told && html`<p class="told" role="status">${told}</p>`}
    <div class="panel-do">
      <button type="button" class=${foul ? 'danger' : 'first'} id="lay-down" disabled=${!whole || busy}
        onClick=${() => (foul ? setSure(true) : layDown())}>${foul ? text.layFoul : text.lay}</button>
      ${(askable || settable) && html`<button type="button" id="house-way" disabled=${busy} title=${text.houseWayTitle}
        onClick=${houseWay}>${askable ? text.houseWay : text.leave2dealer}</button>`}
      <button type="button" id="undo" disabled=${past.length === 0} onClick=${undo}>${text.undo}</button>
      <span class="sorts" role="group" aria-label=${text.sort}>
        ${/** @type {const} */ (['rank', 'suit']).map(by => html`<button type="button" class="small" key=${by} aria-pressed=${order.value === by}
          onClick=${() => (order.value = by)}>${text.sorts[by]}</button>`)}
      </span>
    </div>
    ${position !== null && h(Asking, { play, cards, low, arrange: change })}
    <p class="keys quiet">${text.keys}</p>
    ${sure && h(Dialog, { title: text.layFoulAsk, close: () => setSure(false) }, html`
      <p>${text.foulSays} ${loses ? text.foulLoses : foulRule ? text.foulThen(foulRule.is) : ''}</p>
      <div class="panel-do">
        <button type="button" class="danger" id="lay-foul" onClick=${() => { setSure(false); layDown(); }}>${text.layFoul}</button>
        <button type="button" onClick=${() => setSure(false)}>${text.keepSetting}</button>
      </div>`)}
  </div>`;
}

/**
 * A card that can be moved: by a tap, by a key, by dragging it into the other box.
 * @param {{ card: OneCard, low: boolean, move: (card: OneCard, instead?: OneCard) => void }} props
 */
function Playing({ card, low, move }) {
  /** @type {{ current: { x: number, y: number, far: boolean } | null }} */
  const drag = useRef(null);
  const dragged = useRef(false);
  /** @param {PointerEvent} event */
  const down = event => {
    if (event.button !== 0) return;
    drag.current = { x: event.clientX, y: event.clientY, far: false };
    dragged.current = false;
    /** @type {HTMLElement} */ (event.currentTarget).setPointerCapture(event.pointerId);
  };
  /** @param {PointerEvent} event */
  const moved = event => {
    const from = drag.current;
    if (!from) return;
    const [x, y] = [event.clientX - from.x, event.clientY - from.y];
    from.far ||= Math.hypot(x, y) > DRAG;
    const element = /** @type {HTMLElement} */ (event.currentTarget);
    if (from.far) {
      element.classList.add('dragged');
      element.style.setProperty('--x', `${x}px`);
      element.style.setProperty('--y', `${y}px`);
    }
  };
  /** @param {PointerEvent} event */
  const up = event => {
    const from = drag.current;
    drag.current = null;
    const element = /** @type {HTMLElement} */ (event.currentTarget);
    element.classList.remove('dragged');
    if (!from?.far || event.type === 'pointercancel') return;
    dragged.current = true;
    const under = document.elementsFromPoint(event.clientX, event.clientY);
    const zone = under.map(it => it.closest('[data-zone]')).find(Boolean)?.getAttribute('data-zone');
    const other = under.find(it => it !== element && it.matches('button.playing'))?.getAttribute('data-card');
    if (zone && (zone === 'low') !== low) move(card, other ? cardOf(other) : undefined);
  };
  const click = () => {
    // A drag ends with a click of its own.
    if (!dragged.current) move(card);
    dragged.current = false;
  };
  const name = cardName(card);
  return html`<button type="button" class="playing" data-card=${card} aria-label=${low ? text.toHigh(name) : text.toLow(name)}
      onPointerDown=${down} onPointerMove=${moved} onPointerUp=${up} onPointerCancel=${up} onClick=${click}>
    ${h(Card, { card, label: false })}
  </button>`;
}

/**
 * Lets cards glide from where they were to where they are.
 * @param {{ current: HTMLElement | null }} place
 * @param {string} change what makes them move
 */
function useMoves(place, change) {
  /** @type {{ current: Map<string, { x: number, y: number }> }} */
  const were = useRef(new Map());
  const focused = useRef(/** @type {string | null} */ (null));
  // From the first moment: whoever is quick has a card in hand before anything else is done.
  useLayoutEffect(() => {
    /** @param {Event} event */
    const remember = event => {
      const button = event.target instanceof Element ? event.target.closest('button.playing') : null;
      focused.current = button?.getAttribute('data-card') ?? null;
    };
    place.current?.addEventListener('focusin', remember);
  }, []);
  useLayoutEffect(() => {
    const box = place.current;
    if (!box) return;
    const origin = box.getBoundingClientRect();
    const are = new Map();
    for (const button of box.querySelectorAll('button.playing')) {
      const { x, y } = button.getBoundingClientRect();
      const card = button.getAttribute('data-card') ?? '';
      const at = { x: x - origin.x, y: y - origin.y };
      are.set(card, at);
      const was = were.current.get(card);
      if (was && mayMove() && (was.x !== at.x || was.y !== at.y)) {
        const from = `translate(${was.x - at.x}px, ${was.y - at.y}px)`;
        button.animate([{ transform: from }, { transform: 'none' }], { duration: 180, easing: 'ease-out' });
      }
    }
    were.current = are;
    // A card that changed sides was drawn anew: whoever had it in hand keeps it.
    if (focused.current && document.activeElement === document.body) {
      const again = box.querySelector(`button.playing[data-card="${focused.current}"]`);
      if (again instanceof HTMLElement) again.focus();
    }
  }, [change, order.value]);
}
