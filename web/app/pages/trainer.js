// Drills: how a house sets hands, by which clause, and what would be best. The house deals every question with its
// answer; here only texts are compared.
import { h } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import * as api from '../api.js';
import { number, percent, rate } from '../format.js';
import { html } from '../html.js';
import { go, here } from '../router.js';
import { answered, forget, progress, worst } from '../progress.js';
import { useAsked, useHouses } from '../ui/asked.js';
import { Card } from '../ui/card.js';
import { Setting } from '../ui/setting.js';
import { words } from '../words/en.js';

/** @import { Card as OneCard, Drill, DrillKind, Partings, Possible, RulesInfo } from '../types.js' */
/** @typedef {{ place: number, about: string }} Only hands of one row */

const said = words.trainer;
const KINDS = /** @type {DrillKind[]} */ (['set', 'clause', 'best', 'houses']);

const seed = () => crypto.getRandomValues(new Uint32Array(1))[0] ?? 0;

export default function Trainer() {
  const { query } = here.value;
  const houses = useHouses();
  const rules = query.get('rules') ?? 'mbs-2020';
  const kind = KINDS.find(it => it === query.get('kind')) ?? 'set';
  const other = query.get('other') ?? (rules === 'cardroom' ? 'catfish-bend' : 'cardroom');
  const [only, setOnly] = useState(/** @type {Only | null} */ (null));
  const parted = useAsked(kind === 'houses' ? `${rules} ${other}` : null, () => api.partings(rules, other));

  /** @param {{ rules?: string, kind?: DrillKind, other?: string }} to */
  const turn = to => {
    const next = new URLSearchParams({ rules, kind, ...to });
    const against = to.other ?? query.get('other');
    if (against) next.set('other', against);
    if (next.get('rules') === next.get('other')) next.delete('other');
    setOnly(null);
    go(`/trainer?${next}`, { replace: true });
  };
  /** @param {Only} row */
  const practise = row => {
    if (kind === 'houses') turn({ kind: 'set' });
    setOnly(row);
  };

  return html`<section class="page trainer">
    <header class="page-head"><h1>${said.title}</h1><p class="quiet">${said.lead}</p></header>
    ${houses ? html`
      <div class="trainer-choose">
        <label class="under"><span>${said.house}</span>${h(HouseSelect, { name: 'house', houses, chosen: rules, onChoose: it => turn({ rules: it }) })}</label>
        <fieldset class="choice"><legend>${said.drill}</legend>
          ${KINDS.map(it => html`<label key=${it}><input type="radio" name="kind" value=${it} checked=${it === kind}
            onChange=${() => turn({ kind: it })} /><span>${said.kinds[it]}</span></label>`)}
        </fieldset>
        ${kind === 'houses' && html`<label class="under"><span>${said.against}</span>
          ${h(HouseSelect, { name: 'other', houses: houses.filter(it => it.id !== rules), chosen: other, onChoose: it => turn({ other: it }) })}</label>`}
      </div>
      <div class="trainer-table">
        ${kind === 'houses' && !parted?.hands ? html`<p class="sheet" role="status">${parted ? said.partingNone : words.common.loading}</p>`
        : h(Questions, { rules, kind, other: kind === 'houses' ? other : null, only, onAll: () => setOnly(null), houses,
          key: `${rules} ${kind} ${other} ${only?.place}` })}
        ${h(Score, { rules, kind, onPractise: practise })}
      </div>
      ${parted && parted.hands > 0 && h(Parting, { parted, key: `${rules} ${other}` })}`
    : html`<p class="loading" role="status">${words.common.loading}</p>`}
  </section>`;
}

/** @param {{ name: string, houses: RulesInfo[], chosen: string, onChoose: (id: string) => void }} props */
function HouseSelect({ name, houses, chosen, onChoose }) {
  return html`<select name=${name} value=${chosen} onChange=${(/** @type {Event} */ event) => onChoose(/** @type {HTMLSelectElement} */ (event.target).value)}>
    ${houses.map(house => html`<option key=${house.id} value=${house.id} selected=${house.id === chosen}>${house.name}</option>`)}</select>`;
}

/**
 * @typedef {object} Answer
 * @property {'right' | 'wrong' | 'shown'} how
 * @property {Possible | undefined} [possible] the setting that was chosen
 * @property {boolean} [foul] whether there is no such setting
 * @property {number} [place] which of the choices was taken
 */

/**
 * One question after the other.
 * @typedef {{ rules: string, kind: DrillKind, other: string | null, only: Only | null, houses: RulesInfo[] }} Asking
 * @param {Asking & { onAll: () => void }} props
 */
function Questions({ rules, kind, other, only, onAll, houses }) {
  const [at, setAt] = useState(seed);
  const first = useRef(at);
  const drill = useAsked(`${at}`, () => api.drill({ rules, kind, seed: at, row: only?.place, other: other ?? undefined }));
  return html`<div class="sheet question">
    ${only && html`<p class="practising">${said.practising(only.about)} <button type="button" class="small" onClick=${onAll}>${said.all}</button></p>`}
    ${drill ? h(Question, { drill, houses, onNext: () => setAt(seed()), takesFocus: at !== first.current, key: at })
      : html`<p class="loading" role="status">${words.common.loading}</p>`}
  </div>`;
}

/**
 * Whoever goes on to a question by keyboard is led to it.
 * @param {{ drill: Drill, houses: RulesInfo[], takesFocus: boolean, onNext: () => void }} props
 */
function Question({ drill, houses, takesFocus, onNext }) {
  const [answer, setAnswer] = useState(/** @type {Answer | null} */ (null));
  const heading = useRef(/** @type {HTMLElement | null} */ (null));
  useEffect(() => {
    if (takesFocus) heading.current?.focus({ preventScroll: true });
  }, []);
  /** @param {string} id */
  const name = id => houses.find(it => it.id === id)?.name ?? id;
  /** @param {Answer} it */
  const give = it => {
    if (answer) return;
    answered(drill, it.how === 'right');
    setAnswer(it);
  };
  const laid = drill.kind === 'set' || drill.kind === 'best';
  return html`
    <h2 class="ask" tabindex="-1" ref=${heading}>${said.ask[drill.kind](name(drill.rules), name(drill.other?.rules ?? ''))}</h2>
    ${laid ? h(Lay, { drill, answer, onGive: give })
      : html`<div class="question-hand" role="group" aria-label=${said.hand}>${drill.cards.map(card => h(Card, { card, key: card }))}</div>`}
    ${drill.kind === 'clause' && h(ChooseRow, { drill, answer, onGive: give })}
    ${drill.kind === 'houses' && h(ChooseSetting, { drill, answer, onGive: give })}
    <div class="answer" role="status">${answer && h(Told, { drill, answer, name })}</div>
    <div class="question-acts">
      ${answer ? h(Next, { onNext }) : html`<button type="button" class="plain" onClick=${() => give({ how: 'shown' })}>${said.show}</button>`}
    </div>`;
}

/** Goes on, and has the focus so that Enter does. @param {{ onNext: () => void }} props */
function Next({ onNext }) {
  const button = useRef(/** @type {HTMLButtonElement | null} */ (null));
  useEffect(() => button.current?.focus({ preventScroll: true }), []);
  return html`<button type="button" class="first next" ref=${button} onClick=${onNext}>${said.next}</button>`;
}

/** @typedef {{ drill: Drill, answer: Answer | null, onGive: (answer: Answer) => void }} Asked */

/** Two of seven cards. @param {Asked} props */
function Lay({ drill, answer, onGive }) {
  const [low, setLow] = useState(/** @type {OneCard[]} */ ([]));
  /** @param {OneCard} card */
  const toggle = card => answer || setLow(low.includes(card) ? low.filter(it => it !== card) : [...low, card].slice(-2));
  const lay = () => {
    const possible = drill.settings.find(it => it.setting.low.every(card => low.includes(card)));
    onGive({ how: possible?.right ? 'right' : 'wrong', possible, foul: !possible });
  };
  return html`
    <div class="question-hand lay" role="group" aria-label=${said.hand}>
      ${drill.cards.map(card => html`<button type="button" class="lay-card" key=${card} data-card=${card} aria-pressed=${low.includes(card)}
        disabled=${answer !== null} onClick=${() => toggle(card)}>
        ${h(Card, { card })}<span class="lay-low" aria-hidden="true">${low.includes(card) ? said.goesLow : ''}</span></button>`)}
    </div>
    ${!answer && html`<div class="lay-acts"><p class="quiet" role="status">${said.chosen(low.length)}</p>
      <button type="button" class="first" disabled=${low.length !== 2} onClick=${lay}>${said.lay}</button></div>`}`;
}

/** One of four rows. @param {Asked} props */
function ChooseRow({ drill, answer, onGive }) {
  return html`<div class="rows-to-choose" role="group" aria-label=${said.choices}>
    ${drill.rows.map(row => {
      const right = row.place === drill.row.place;
      const mark = !answer ? '' : right ? 'is-right' : row.place === answer.place ? 'is-wrong' : '';
      return html`<button type="button" key=${row.place} class=${`row-choice ${mark}`} data-place=${row.place} disabled=${answer !== null}
          onClick=${() => onGive({ how: right ? 'right' : 'wrong', place: row.place })}>
        <span class="clause">${row.id}</span><span>${row.about}</span></button>`;
    })}
  </div>`;
}

/** One of two settings. @param {Asked} props */
function ChooseSetting({ drill, answer, onGive }) {
  return html`<div class="settings-to-choose" role="group" aria-label=${said.choices}>
    ${drill.settings.map((it, at) => {
      const mark = !answer ? '' : it.right ? 'is-right' : answer.place === at ? 'is-wrong' : '';
      return html`<button type="button" key=${at} class=${`setting-choice ${mark}`} disabled=${answer !== null}
          onClick=${() => onGive({ how: it.right ? 'right' : 'wrong', place: at })}>
        <span class="setting-way">${said.option(at + 1)}</span>${h(Setting, { setting: it.setting })}</button>`;
    })}
  </div>`;
}

/** @param {number} share */
const points = share => rate(share, 2);

/** The answer. @param {{ drill: Drill, answer: Answer, name: (id: string) => string }} props */
function Told({ drill, answer, name }) {
  const best = drill.settings.find(it => it.right);
  const house = drill.settings.find(it => it['house-way']);
  const mine = answer.possible;
  /** @param {Possible | undefined} it */
  const worth = it => it?.value ?? 0;
  return html`
    <p class=${`verdict verdict-${answer.how}`}>${said[answer.how]} ${answer.foul && said.foul}</p>
    ${drill.kind === 'best' && best && html`
      <div class="told-hand"><h3>${said.bestWay} <span class="quiet">${said.worth(points(worth(best)))}</span></h3>${h(Setting, { setting: best.setting })}</div>
      ${mine && !mine.right && html`<p>${said.cost(points(worth(best) - worth(mine)))}</p>`}
      <p class="quiet">${house?.right ? said.asGood : said.worse(points(worth(best) - worth(house)))}</p>`}
    ${drill.kind !== 'best' && html`<div class="told-hand"><h3>${drill.kind === 'houses' ? name(drill.rules) : said.houseWay}</h3>${h(Setting, { setting: drill.setting })}</div>`}
    <p class="told-why"><span class="clause">${words.common.clause(drill.row.id)}</span> <b>${drill.row.about}.</b> ${drill.why}</p>
    ${drill.other && html`<div class="told-hand"><h3>${name(drill.other.rules)}</h3>${h(Setting, { setting: drill.other.setting })}</div>
      <p class="told-why"><span class="clause">${words.common.clause(drill.other.row.id)}</span> <b>${drill.other.row.about}.</b> ${drill.other.why}</p>`}`;
}

/** @param {{ rules: string, kind: DrillKind, onPractise: (row: Only) => void }} props */
function Score({ rules, kind, onPractise }) {
  const { runs, spots, shapes } = progress.value;
  const run = runs[kind] ?? { now: 0, longest: 0, asked: 0, right: 0 };
  const weak = worst(spots[rules]).slice(0, 5);
  const weakShapes = worst(shapes[rules]).slice(0, 4);
  return html`<aside class="score sheet" aria-label=${said.score}>
    <h2>${said.score}</h2>
    <dl class="run">
      <div class="run-now"><dt>${said.streak}</dt><dd>${run.now}</dd></div>
      <div><dt>${said.longest}</dt><dd>${run.longest}</dd></div>
      <div><dt>${said.answered}</dt><dd>${run.asked}</dd></div>
      <div><dt>${said.correct}</dt><dd>${run.asked ? percent(run.right / run.asked, 0) : '–'}</dd></div>
    </dl>
    <h3>${said.weak}</h3>
    ${weak.length === 0 ? html`<p class="quiet">${said.weakNone}</p>` : html`
      <p class="quiet">${said.weakSays}</p>
      <ul class="weak">${weak.map(([key, it]) => html`<li key=${key}>
        <span><span class="clause">${it.id}</span> ${it.about}<br /><small class="quiet">${said.missed(it.wrong, it.asked)}</small></span>
        <button type="button" class="small" aria-label=${said.practiseRow(it.about)} onClick=${() => onPractise({ place: it.place, about: it.about })}>${said.practise}</button></li>`)}</ul>
      <h3>${said.shapes}</h3>
      <ul class="weak">${weakShapes.map(([shape, it]) => html`<li key=${shape}><span>${/** @type {Record<string, string>} */ (said.shapeNames)[shape] ?? shape}</span>
        <small class="quiet">${said.missed(it.wrong, it.asked)}</small></li>`)}</ul>`}
    ${Object.keys(runs).length > 0 && html`<button type="button" class="plain small" onClick=${forget}>${said.forget}</button>`}
  </aside>`;
}

const FEW = 4;

/** Where two houses part. @param {{ parted: Partings }} props */
function Parting({ parted }) {
  const [open, setOpen] = useState(false);
  const shown = open ? parted['by-rows'] : parted['by-rows'].slice(0, FEW);
  return html`<section class="parting" aria-labelledby="parting">
    <h2 id="parting">${said.parting}</h2>
    <p class="quiet">${said.partingSays(number(parted.hands), percent(parted.hands / parted.of))}</p>
    <ol class="partings">${shown.map(it => html`<li class="sheet" key=${`${it.row.place} ${it['other-row'].place}`}>
      <h3>${said.partingHands(number(it.hands))}</h3>
      <div class="parting-sides">
        <div>${h(Setting, { setting: it.setting })}<p><span class="clause">${it.row.id}</span> ${it.row.says}</p></div>
        <div>${h(Setting, { setting: it['other-setting'] })}<p><span class="clause">${it['other-row'].id}</span> ${it['other-row'].says}</p></div>
      </div></li>`)}</ol>
    ${!open && parted['by-rows'].length > FEW && html`<button type="button" onClick=${() => setOpen(true)}>${said.more(parted['by-rows'].length)}</button>`}
  </section>`;
}
