// A table as staff see it, live, and what they may do there: the options that the house offers to their role.
import { h } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { html } from '../../html.js';
import { time } from '../../format.js';
import { Link } from '../../router.js';
import { command, houseNow, watch } from '../../socket.js';
import { cardName } from '../../ui/card.js';
import { Confirm } from '../../ui/confirm.js';
import { Board } from '../../ui/hand.js';
import { refusal, saying } from '../../ui/loaded.js';
import { useRulebooks } from '../../ui/rulebooks.js';
import { complain, tell } from '../../ui/toast.js';
import { namesFrom, spotName, told } from '../../ui/told.js';
import { words } from '../../words/en.js';

/** @import { Action, Ask, Happened, HouseAsk, Offer, Repair, Ruling, TableUpdate } from '../../types.js' */
/** @import { Names } from '../../ui/told.js' */

/** So much of what happened is kept on the page. */
const KEPT = 200;

/**
 * An offer of one kind.
 * @template {Offer['do']} Do
 * @param {Offer[]} offers @param {Do} what
 */
const offered = (offers, what) => /** @type {Extract<Offer, { do: Do }>[]} */ (offers.filter(it => it.do === what));

/** @param {{ table: number }} props */
export function Table({ table }) {
  const [update, setUpdate] = useState(/** @type {TableUpdate | null} */ (null));
  const [happened, setHappened] = useState(/** @type {Happened[]} */ ([]));
  const [wrong, setWrong] = useState('');
  const rulebooks = useRulebooks();
  useEffect(() => watch(table, fresh => {
    setUpdate(fresh);
    setHappened(before => [...before, ...fresh.happened].slice(-KEPT));
  }, setWrong), [table]);

  if (wrong) return html`<p class="wrong" role="alert">${words.pit.noTable}</p>${h(Back, null)}`;
  if (!update) return html`<p class="quiet" role="status">${words.common.loading}</p>`;
  const { view } = update;
  const names = namesFrom(view.seats, /** @type {Record<string, { name: string }>} */ (update.people));
  /** @param {Ask} asked */
  const ask = async asked => {
    try {
      const answer = await command(table, asked);
      if (answer.answer === 'done') tell(words.pit.done);
      else complain(refusal(answer));
    } catch (error) {
      complain(saying(error));
    }
  };
  return html`
    ${h(Back, null)}
    <div class="pit-head"><h2>${update.name}</h2>
      <p class="quiet">${rulebooks.name(view.rules)} · ${words.pit.round(view.round)} · ${words.events.phases[view.phase.name]}${' '}
        ${h(TimeLeft, { until: view.until })}</p>
      ${update.closed !== null && html`<p class="wrong" role="status">${words.pit.closed(update.closed)}</p>`}
      ${update.resumed && html`<p class="wrong">${words.pit.interrupted(update.resumed)}</p>`}
    </div>
    <div class="pit-table">
      <div class="pit-felt">
        ${h(Board, { view, round: view.phase.name === 'idle' ? view.round : -1, bank: view.bank, names, label: words.pit.board, named: true })}
        <p class="quiet">${words.pit.hidden}${update.commitment && html` ${words.pit.commitment}: <code>${update.commitment}</code>`}</p>
        ${view.last && html`<p>${words.pit.lastRound}${' '}
          ${h(Link, { to: `/round/${table}/${view.last.round}` }, words.history.round(update.name, view.last.round))}</p>`}
      </div>
      <div class="pit-do">
        ${h(Conduct, { update, names, ask })}
        ${h(Calls, { offers: offered(view.options, 'call'), names, ask })}
        ${h(Rulings, { rulings: offered(view.options, 'rule').flatMap(it => it.rulings), names, ask })}
        ${h(Closing, { may: update['house-options'], ask })}
        ${h(Restrict, { persons: offered(view.options, 'restrict').flatMap(it => it.persons), names, ask })}
      </div>
      <section class="sheet pit-happened"><h3>${words.pit.happened}</h3>
        ${happened.length === 0 ? html`<p class="quiet">${words.pit.happenedNone}</p>`
          : html`<ol tabindex="0" aria-label=${words.pit.happened} aria-live="polite">
            ${happened.toReversed().map(it => html`<li key=${it.version}><time>${time(it.at)}</time> <span>${told(it, names)}</span>
              ${'clause' in it && it.clause && html` <span class="clause">${it.clause}</span>`}</li>`)}
          </ol>`}
      </section>
    </div>`;
}

function Back() {
  return html`<p class="page-links">${h(Link, { to: '/pit' }, words.pit.allTables)}</p>`;
}

/** How long something may still take. @param {{ until: number | null }} props */
function TimeLeft({ until }) {
  const [, tick] = useState(0);
  useEffect(() => {
    const timer = setInterval(() => tick(before => before + 1), 1_000);
    return () => clearInterval(timer);
  }, []);
  const left = until === null ? 0 : Math.ceil((until - houseNow()) / 1_000);
  return left > 0 ? html`<span class="tag">${words.pit.timeLeft(words.common.seconds(left))}</span>` : null;
}

/** What a dealer does. @param {{ update: TableUpdate, names: Names, ask: (asked: Ask) => void }} props */
function Conduct({ update, names, ask }) {
  const { view } = update;
  // The deck is the one that the house committed to, never another.
  const offers = view.options.map(offer => (offer.do === 'deal' ? 'deal-committed' : offer.do));
  const plain = /** @type {(Action | HouseAsk)[]} */ (offers.filter(it => it in words.pit.does).map(it => ({ do: it })));
  const leave = offered(view.options, 'leave');
  return html`<section class="sheet form" data-part="conduct"><h3>${words.pit.conduct}</h3>
    <p class="quiet">${words.pit.conductSays}</p>
    ${plain.length + leave.length === 0 ? html`<p>${words.pit.conductNone}</p>` : html`<div class="form-buttons">
      ${plain.map(it => html`<button type="button" class="small" key=${it.do} data-do=${it.do} onClick=${() => ask(it)}>
        ${words.pit.does[/** @type {keyof typeof words.pit.does} */ (it.do)]}</button>`)}
      ${leave.map(it => html`<button type="button" class="small" key=${it.position} onClick=${() => ask(it)}>
        ${words.pit.leave(names.seat(it.position))}</button>`)}
    </div>`}
  </section>`;
}

/**
 * One of a few, as a list to choose from.
 * @param {{ label: string, name: string, all: string[], chosen: number, choose: (at: number) => void }} props
 */
function Pick({ label, name, all, chosen, choose }) {
  return html`<label class="field"><span>${label}</span>
    <select name=${name} onChange=${(/** @type {any} */ event) => choose(Number(event.currentTarget.value))}>
      ${all.map((text, at) => html`<option key=${text} value=${at} selected=${at === chosen}>${text}</option>`)}
    </select></label>`;
}

/** @param {Repair | null} repair @param {Names} names */
function repairName(repair, names) {
  if (repair === null) return words.pit.noRepair;
  if (repair === 'reconstruct') return words.pit.reconstruct;
  if ('lay' in repair) return words.pit.lay(repair.lay.map(cardName).join(', '));
  return words.pit.swap(spotName(repair.swap[0], names), spotName(repair.swap[1], names));
}

/** @param {{ offers: Extract<Offer, { do: 'call' }>[], names: Names, ask: (asked: Ask) => void }} props */
function Calls({ offers, names, ask }) {
  const [what, setWhat] = useState(/** @type {string | null} */ (null));
  const [spotAt, setSpot] = useState(0);
  const [repairAt, setRepair] = useState(0);
  const [asked, setAsked] = useState(false);
  const offer = offers.find(it => it.what === what) ?? offers[0];
  if (!offer) {
    return html`<section class="sheet form" data-part="call"><h3>${words.pit.call}</h3><p>${words.pit.callNone}</p></section>`;
  }
  /** @type {(Repair | null)[]} */
  const repairs = [...(offer.unrepaired ? [null] : []), ...offer.repairs];
  const spot = offer.spots[Math.min(spotAt, offer.spots.length - 1)];
  const repair = repairs[Math.min(repairAt, repairs.length - 1)] ?? null;
  const call = () => {
    setAsked(false);
    ask({ do: 'call', what: offer.what, ...(spot && { spot }), ...(repair && { repair }) });
  };
  return html`<form class="sheet form" data-part="call" onSubmit=${(/** @type {Event} */ event) => {
    event.preventDefault();
    setAsked(true);
  }}>
    <h3>${words.pit.call}</h3><p class="quiet">${words.pit.callSays}</p>
    ${h(Pick, {
      label: words.pit.what, name: 'what', all: offers.map(it => words.events.incidents[it.what]), chosen: offers.indexOf(offer),
      choose: at => setWhat(offers[at]?.what ?? null),
    })}
    ${offer.spots.length > 0 && h(Pick, {
      label: words.pit.spot, name: 'spot', all: offer.spots.map(it => spotName(it, names)),
      chosen: Math.min(spotAt, offer.spots.length - 1), choose: setSpot,
    })}
    ${offer.repairs.length > 0 && h(Pick, {
      label: words.pit.repair, name: 'repair', all: repairs.map(it => repairName(it, names)),
      chosen: Math.min(repairAt, repairs.length - 1), choose: setRepair,
    })}
    <div class="form-buttons"><button type="submit">${words.pit.callDo}</button></div>
    ${asked && h(Confirm, {
      title: words.pit.sure(words.events.incidents[offer.what]), says: words.pit.callSure, yes: words.pit.callDo, danger: true,
      onYes: call, onNo: () => setAsked(false),
    })}
  </form>`;
}

/** Why staff do something. @param {{ of: string, reason: string, setReason: (reason: string) => void }} props */
function Reason({ of, reason, setReason }) {
  const hint = `${of}-reason-hint`;
  return html`<label class="field"><span>${words.pit.reason}</span>
    <input name="reason" required maxlength="200" autocomplete="off" value=${reason} aria-describedby=${hint}
      onInput=${(/** @type {any} */ event) => setReason(event.currentTarget.value)} />
    <small id=${hint}>${words.pit.reasonHint}</small></label>`;
}

/** @param {Ruling} ruling @param {Names} names */
const rulingText = (ruling, names) =>
  (typeof ruling === 'string' ? words.pit.rulings[ruling] : words.pit.handOut(names.seat(ruling['hand-out'])));

/** @param {{ rulings: Ruling[], names: Names, ask: (asked: Ask) => void }} props */
function Rulings({ rulings, names, ask }) {
  const [chosen, choose] = useState('');
  const [reason, setReason] = useState('');
  const [asked, setAsked] = useState(false);
  const texts = rulings.map(it => rulingText(it, names));
  const at = Math.max(texts.indexOf(chosen), 0);
  const ruling = rulings[at];
  if (ruling === undefined) {
    return html`<section class="sheet form" data-part="rule"><h3>${words.pit.rule}</h3><p>${words.pit.ruleNone}</p></section>`;
  }
  const decide = () => {
    setAsked(false);
    setReason('');
    ask({ do: 'rule', ruling, reason });
  };
  return html`<form class="sheet form" data-part="rule" onSubmit=${(/** @type {Event} */ event) => {
    event.preventDefault();
    setAsked(true);
  }}>
    <h3>${words.pit.rule}</h3><p class="quiet">${words.pit.ruleSays}</p>
    ${h(Pick, { label: words.pit.ruling, name: 'ruling', all: texts, chosen: at, choose: to => choose(texts[to] ?? '') })}
    ${h(Reason, { of: 'rule', reason, setReason })}
    <div class="form-buttons"><button type="submit" class="first">${words.pit.ruleDo}</button></div>
    ${asked && h(Confirm, {
      title: words.pit.sure(texts[at] ?? ''), says: words.pit.sureSays(reason), yes: words.pit.ruleDo, danger: true,
      onYes: decide, onNo: () => setAsked(false),
    })}
  </form>`;
}

/** Closes a table, or opens it again, where the house lets one. @param {{ may: string[], ask: (asked: Ask) => void }} props */
function Closing({ may, ask }) {
  const [reason, setReason] = useState('');
  const [asked, setAsked] = useState(false);
  const what = /** @type {const} */ (['close-table', 'open-table']).find(it => may.includes(it));
  if (!what) return null;
  const said = words.pit.closing[what];
  const act = () => {
    setAsked(false);
    setReason('');
    ask({ do: what, why: reason });
  };
  return html`<form class="sheet form" data-part="closing" onSubmit=${(/** @type {Event} */ event) => {
    event.preventDefault();
    setAsked(true);
  }}>
    <h3>${said.title}</h3><p class="quiet">${said.says}</p>
    ${h(Reason, { of: 'closing', reason, setReason })}
    <div class="form-buttons"><button type="submit" data-do=${what}>${said.title}</button></div>
    ${asked && h(Confirm, {
      title: words.pit.sure(said.title), says: `${said.says} ${words.pit.tableTold(reason)}`, yes: said.title,
      danger: what === 'close-table', onYes: act, onNo: () => setAsked(false),
    })}
  </form>`;
}

/** @param {{ persons: number[], names: Names, ask: (asked: Ask) => void }} props */
function Restrict({ persons, names, ask }) {
  const [at, choose] = useState(0);
  const [reason, setReason] = useState('');
  const person = persons[Math.min(at, persons.length - 1)];
  if (person === undefined) return null;
  return html`<form class="sheet form" data-part="restrict" onSubmit=${(/** @type {Event} */ event) => {
    event.preventDefault();
    setReason('');
    ask({ do: 'restrict', person, reason });
  }}>
    <h3>${words.pit.restrict}</h3>
    ${h(Pick, { label: words.pit.whom, name: 'person', all: persons.map(names.person), chosen: Math.min(at, persons.length - 1), choose })}
    ${h(Reason, { of: 'restrict', reason, setReason })}
    <div class="form-buttons"><button type="submit">${words.pit.restrictDo}</button></div>
  </form>`;
}
