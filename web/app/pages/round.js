// A round that is over: seen again step by step, its statement with the clauses, and its proof checked.
import { h } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { html } from '../html.js';
import * as api from '../api.js';
import { money, time, when } from '../format.js';
import { noted } from '../noted.js';
import { Link } from '../router.js';
import { look, me } from '../session.js';
import { Card } from '../ui/card.js';
import { Figures, numbers } from '../ui/figures.js';
import { Board } from '../ui/hand.js';
import { Waiting, useLoaded } from '../ui/loaded.js';
import { Verdict } from '../ui/proved.js';
import { Ended, Gain } from '../ui/rounds.js';
import { useRulebooks } from '../ui/rulebooks.js';
import { Statement } from '../ui/statement.js';
import { namesFrom, spotName, told } from '../ui/told.js';
import { words } from '../words/en.js';

/** @import { AllCards, CitedClause, Recall, TableView } from '../types.js' */
/** @import { Look } from '../api.js' */
/** @import { Names } from '../ui/told.js' */

/** How long a step is shown while the round plays by itself. */
const STEP = 1_000;

/** @param {{ parts: import('../router.js').Parts }} props */
export default function Round({ parts: { table = '', round = '' } }) {
  const rulebooks = useRulebooks();
  // How and why someone looks at what not everyone is shown, if they do. Not a part of the address: no link makes
  // anyone look.
  const [looked, setLooked] = useState(/** @type {{ round: string, as: Look | null }} */ ({ round: '', as: null }));
  const here = `${table}/${round}`;
  const as = looked.round === here ? looked.as : null;
  /** @param {Look['how']} how */
  const ask = how => h(Ask, { how, show: why => setLooked({ round: here, as: { how, why } }) });
  const { value: recall, error } = useLoaded(async () => {
    await look();
    return api.recall(table, round, as);
  }, [table, round, as]);
  const missing = error instanceof api.Refused && error.status === 404;
  return html`<section class="page round-page">
    <header class="page-head">
      <p class="page-links">${h(Link, { to: '/history' }, words.history.back_)}</p>
      <h1>${words.history.round(recall?.name ?? words.history.tableNumber(table), round)}</h1>
      ${recall && html`<p class="quiet round-about"><span>${words.history.tableNumber(table)}</span>
        <span>${rulebooks.name(recall.before.rules)}</span><span>${when(recall.round.ended)}</span>
        ${recall.round.status !== 'settled' && h(Ended, { round: recall.round })}
</p>`}
      ${recall && me.value?.operator && !as && ask('auditor')}
      ${recall && mayLook() && !as && hidesConceded(recall) && ask('conceded')}
    </header>
    ${missing ? html`<p class="sheet nothing">${words.history.notFound}</p>`
      : recall ? h(Told, { recall, table, round, as, key: as?.how })
      : h(Waiting, { error })}
  </section>`;
}

/** Whether one may look at conceded hands. The house checks it again. */
const mayLook = () => me.value !== null && !['player', 'dealer'].includes(me.value.role);

/** Whether a hand of the round was conceded and is face down. @param {Recall} recall */
const hidesConceded = recall => recall.steps.at(-1)?.view.last?.hands
  .some(([, hand]) => hand.cards === 'face-down' && hand.conceded) ?? false;

/** Asks why someone wants to see what not everyone is shown. @param {{ how: Look['how'], show: (why: string) => void }} props */
function Ask({ how, show }) {
  const [why, setWhy] = useState('');
  const text = words.history.looks[how];
  return html`<details class="audit" data-how=${how}><summary>${text.title}</summary>
    <form class="form" onSubmit=${(/** @type {Event} */ event) => {
      event.preventDefault();
      show(why);
    }}>
      <label class="field"><span>${words.pit.why}</span>
        <input name="why" required maxlength="200" autocomplete="off" value=${why}
          onInput=${(/** @type {any} */ event) => setWhy(event.currentTarget.value)} />
        <small>${words.pit.whyHint}</small></label>
      <div class="form-buttons"><button type="submit" class="small">${text.now}</button></div>
    </form></details>`;
}

/** @param {{ recall: Recall, table: string, round: string, as: Look | null }} props */
function Told({ recall, table, round, as }) {
  const last = recall.steps.at(-1)?.view;
  const names = namesFrom([...(last?.seats ?? []), ...recall.before.seats]);
  return html`
    ${h(Replay, { recall, names })}
    <div class="round-parts">
      <section class="sheet"><h2>${words.history.statement}</h2>
        ${recall.round.status === 'void' ? html`<p>${words.history.statementNone}</p>`
          : h(Statement, { lines: recall.statement, fees: last?.last?.fees ?? [], clauses: recall.clauses, names })}
        ${recall.corrections.length > 0 && html`<h3>${words.history.corrections}</h3>
          <ul class="plain-list">${recall.corrections.map((it, at) => html`<li key=${at}>
            ${words.history.correction(it.clause ?? '')} ${h(Gain, { amount: it.net })}</li>`)}</ul>`}
        ${recall['for-the-absent'].length > 0 && html`<h3>${words.history.absent}</h3>
          <ul class="plain-list">${recall['for-the-absent'].map(it => html`<li key=${it.version}>
            ${names.seat(it.position)}: ${words.history.dids[it.did]}</li>`)}</ul>`}
        ${recall.funds.length > 0 && h(Money, { recall, names })}
      </section>
      <section class="sheet"><h2>${words.history.proof}</h2>
        ${h(Fairness, { table, round, as })}</section>
    </div>
    ${recall.dealt && h(Dealt, { dealt: recall.dealt, names })}
    ${h(Clauses, { clauses: recall.clauses })}
  `;
}

/** The round, one step after the other. @param {{ recall: Recall, names: Names }} props */
function Replay({ recall, names }) {
  const { steps } = recall;
  const [at, go] = useState(steps.length);
  const [playing, play] = useState(false);
  const list = useRef(/** @type {HTMLOListElement | null} */ (null));
  const view = /** @type {TableView} */ (at === 0 ? recall.before : steps[at - 1]?.view);
  // Who banked is still of interest once the round is over.
  const bank = view.bank ?? steps.slice(0, at).findLast(step => step.view.bank)?.view.bank ?? null;

  useEffect(() => {
    if (!playing) return undefined;
    const timer = setInterval(() => go(before => Math.min(before + 1, steps.length)), STEP);
    return () => clearInterval(timer);
  }, [playing]);
  useEffect(() => {
    if (at === steps.length) play(false);
    // The list moves by itself, the page does not.
    const current = list.current?.querySelector('[aria-current]')?.parentElement;
    if (list.current && current) {
      list.current.scrollTop = current.offsetTop - list.current.clientHeight / 2;
    }
  }, [at]);

  /** @param {number} to */
  const show = to => {
    play(false);
    go(Math.max(0, Math.min(to, steps.length)));
  };
  const start = () => {
    if (at === steps.length) go(0);
    play(!playing);
  };
  const now = steps[at - 1]?.happened;
  const clause = now && 'clause' in now ? now.clause : null;
  const sentences = [words.history.start, ...steps.map(step => told(step.happened, names))];
  return html`<section class="replay" aria-label=${words.history.replay}>
    <div class="replay-board">
      ${h(Board, { view, round: recall.round.round, bank, names, label: words.history.board })}
      <div class="replay-now"><p aria-live="polite">${sentences[at]}</p>
        ${clause && html`<p class="replay-clause"><span class="clause">${clause}</span>
          ${recall.clauses.find(it => it.clause === clause)?.says}</p>`}</div>
      <div class="replay-buttons">
        ${h(StepButton, { to: 'first', off: at === 0, onClick: () => show(0) })}
        ${h(StepButton, { to: 'before', off: at === 0, onClick: () => show(at - 1) })}
        <button type="button" class="small first" data-do="play" onClick=${start}>${playing ? words.history.pause : words.history.play}</button>
        ${h(StepButton, { to: 'next', off: at === steps.length, onClick: () => show(at + 1) })}
        ${h(StepButton, { to: 'last', off: at === steps.length, onClick: () => show(steps.length) })}
        <label class="replay-slider"><span class="only-read">${words.history.step}</span>
          <input type="range" min="0" max=${steps.length} value=${at} aria-valuetext=${words.history.stepOf(at, steps.length)}
            onInput=${(/** @type {any} */ event) => show(Number(event.currentTarget.value))} /></label>
        <span class="quiet">${words.history.stepOf(at, steps.length)}</span>
      </div>
    </div>
    <div class="replay-steps">
      <h2>${words.history.steps}</h2>
      <ol ref=${list} tabindex="0" aria-label=${words.history.steps}>
        ${sentences.map((text, step) => html`<li key=${step}>
          <button type="button" class="plain" aria-current=${step === at ? 'step' : undefined} onClick=${() => show(step)}>
            <span>${text}</span>
            ${step > 0 && html`<time>${time(steps[step - 1]?.happened.at ?? 0)}</time>`}
          </button>
        </li>`)}
      </ol>
    </div>
  </section>`;
}

const ARROWS = { first: 'M5 4v16M20 4L9 12l11 8z', before: 'M17 4L6 12l11 8z', next: 'M7 4l11 8-11 8z', last: 'M19 4v16M4 4l11 8-11 8z' };

/** @param {{ to: keyof typeof ARROWS, off: boolean, onClick: () => void }} props */
function StepButton({ to, off, onClick }) {
  return html`<button type="button" class="small" data-do=${to} aria-label=${words.history[to]} title=${words.history[to]}
    disabled=${off} onClick=${onClick}><svg class="arrow" viewBox="0 0 24 24" aria-hidden="true"><path d=${ARROWS[to]} /></svg></button>`;
}

/** What people had before and after: one's own, for staff everyone's. @param {{ recall: Recall, names: Names }} props */
function Money({ recall, names }) {
  return html`<h3 id="funds">${words.history.funds}</h3>
    ${h(Figures, {
      by: 'funds', columns: [{ name: words.history.who }, ...numbers([words.history.before_, words.history.after])],
      rows: recall.funds.map(it => ({ key: it.person, cells: [
        it.person === me.value?.person ? words.events.you : names.person(it.person), money(it.before), money(it.after),
      ] })),
    })}`;
}

/** Every card of the round, for an auditor. @param {{ dealt: AllCards, names: Names }} props */
function Dealt({ dealt, names }) {
  return html`<section class="sheet all-cards"><h2>${words.history.allCards}</h2>
    ${dealt.hands.map(([spot, cards], at) => html`<div key=${at}><h3>${spotName(spot, names)}</h3>
      <div class="row">${cards.map(card => h(Card, { card, key: card }))}</div></div>`)}
    <div><h3>${words.history.leftOver}</h3><div class="row">${dealt['left-over'].map(card => h(Card, { card, key: card }))}</div></div>
  </section>`;
}

/** The proof of a round, checked at once. @param {{ table: string, round: string, as: Look | null }} props */
function Fairness({ table, round, as }) {
  const { value: text, error } = useLoaded(() => api.proof(table, round, as), [table, round, as]);
  if (text === null) return h(Waiting, { error });
  return html`${h(Verdict, { text, published: noted(table, round), from: 'noted' })}
    <p class="page-links"><a href=${api.proofPath(table, round, as)} download=${`proof-${table}-${round}.json`}>${words.history.download}</a>
      <a href="/app/fair.js" target="_blank">${words.fair.code}</a>
      ${h(Link, { to: '/proof' }, words.history.checkProof)}</p>`;
}

/** @param {{ clauses: CitedClause[] }} props */
function Clauses({ clauses }) {
  return html`<details class="sheet"><summary><h2>${words.history.clauses}</h2></summary>
    <dl class="clauses">${clauses.map(it => html`<div key=${it.clause}>
      <dt class="clause">${it.clause}</dt><dd>${it.says ?? words.history.noSentence}</dd></div>`)}</dl>
  </details>`;
}
