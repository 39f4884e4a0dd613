// Reports: what rounds came to by table, rulebook or day, beside what they come to in theory.
import { h } from 'preact';
import { html } from '../../html.js';
import * as api from '../../api.js';
import { decimal, money, number } from '../../format.js';
import { go, here } from '../../router.js';
import { Figures, numbers } from '../../ui/figures.js';
import { Waiting, useLoaded } from '../../ui/loaded.js';
import { Gain } from '../../ui/rounds.js';
import { useRulebooks } from '../../ui/rulebooks.js';
import { words } from '../../words/en.js';

/** @import { BetLine, ReportBy, ReportLine } from '../../types.js' */

const BYS = /** @type {ReportBy[]} */ (Object.keys(words.pit.bys));

/** A day by UTC, as reports count them, some days later. @param {string | null} date @param {number} later */
function day(date, later) {
  const at = date ? Date.parse(`${date}T00:00:00Z`) : NaN;
  return Number.isNaN(at) ? null : Math.max(at + later * 86_400_000, 0);
}

export function Reports() {
  const { query } = here.value;
  const by = BYS.find(it => it === query.get('by')) ?? 'table';
  const [from, until] = [query.get('from'), query.get('until')];
  const { value, error } = useLoaded(async () => {
    const [report, tables] = await Promise.all([api.report(by, day(from, 0), day(until, 1)), api.tables()]);
    return { report, tables };
  }, [by, from, until]);
  const { value: held } = useLoaded(api.liability, []);
  const rulebooks = useRulebooks();
  /** @param {Event} event */
  const change = event => {
    const given = [...new FormData(/** @type {HTMLFormElement} */ (event.currentTarget))].map(([name, it]) => [name, String(it)]);
    go(`/pit/report?${new URLSearchParams(given.filter(([, it]) => it !== ''))}`, { replace: true });
  };
  /** @param {string} of */
  const named = of => {
    if (by !== 'table') return rulebooks.name(of);
    return value?.tables.find(it => String(it.table) === of)?.name ?? words.history.tableNumber(of);
  };
  return html`
    <form class="filters" onChange=${change} onSubmit=${(/** @type {Event} */ event) => event.preventDefault()}>
      <fieldset class="choice"><legend>${words.pit.by}</legend>
        ${BYS.map(it => html`<label key=${it}><input type="radio" name="by" value=${it} checked=${it === by} />
          <span>${words.pit.bys[it]}</span></label>`)}</fieldset>
      <label class="field"><span>${words.pit.from}</span><input type="date" name="from" value=${from ?? ''} /></label>
      <label class="field"><span>${words.pit.until}</span><input type="date" name="until" value=${until ?? ''} /></label>
    </form>
    ${!value ? error ? h(Waiting, { error }) : html`<p class="quiet" role="status">${words.pit.reportWait}</p>`
      : value.report.lines.length === 0 ? html`<p class="sheet nothing">${words.pit.reportNone}</p>`
      : html`
        <div class="sheet">${h(Lines, { head: words.pit.bys[by], lines: [
          ...value.report.lines.map(it => ({ ...it, of: named(it.of) })), { ...value.report.total, of: words.pit.total },
        ] })}</div>
        <p class="quiet">${words.pit.returns}</p>
        ${[...value.report.lines, value.report.total].map((line, at) => html`<details class="sheet" key=${line.of}
            open=${at === value.report.lines.length}>
          <summary><h2>${line.of === 'total' ? words.pit.total : named(line.of)}</h2>${' '}
            <span class="quiet">${line.rules.filter(it => it !== line.of).map(rulebooks.name).join(' · ')}</span></summary>
          <h3 id=${`people-${at}`}>${words.pit.bets}</h3>${h(Bets, { by: `people-${at}`, bets: line.people })}
          <h3 id=${`bots-${at}`}>${words.pit.bots}</h3>${h(Bets, { by: `bots-${at}`, bets: line.bots })}
        </details>`)}`}
    ${held && html`<section class="sheet"><h2>${words.pit.liability}</h2><dl class="held">
      ${(/** @type {const} */ (['wallets', 'stacks', 'in-play'])).map(it => html`<div key=${it}><dt>${words.pit.held[it]}</dt>
        <dd>${money(held[it])}</dd></div>`)}</dl></section>`}`;
}

/** @param {{ head: string, lines: ReportLine[] }} props */
function Lines({ head, lines }) {
  const names = words.pit.columns;
  const rulebooks = useRulebooks();
  const heads = [names.rounds, names.voids, names.corrections, names.wagered, names.took, names.paid, names.commission,
    names.fees, names.result];
  return html`<h2 class="only-read" id="report-lines">${words.pit.lines}</h2>${h(Figures, {
    by: 'report-lines', class: 'report',
    columns: [{ name: head }, ...numbers(heads)],
    rows: lines.map(line => ({ key: line.of, data: { line: line.of }, cells: [
      html`${line.of}${line.rules.length === 1 && line.rules[0] !== line.of
        && html`<br /><small>${rulebooks.name(line.rules[0] ?? '')}</small>`}`,
      ...[line.rounds, line.voids, line.corrections].map(number),
      ...[wagered(line), line['house-took'], line['house-paid'], line.commission, line.fees].map(money),
      h(Gain, { amount: line['house-result'] }),
    ] })),
  })}`;
}

/** What was wagered on bets, by people and bots. @param {ReportLine} line */
function wagered(line) {
  const bets = [...line.people, ...line.bots].filter(it => it.bet !== 'fee' && it.bet !== 'correction' && it.bet !== 'bank');
  return bets.reduce((sum, it) => sum + it.wagered, 0);
}

/** @param {{ by: string, bets: BetLine[] }} props */
function Bets({ by, bets }) {
  const names = words.pit.betColumns;
  /** @param {number | null | undefined} it */
  const share = it => (it === null || it === undefined ? words.pit.unknown : decimal(it, 4));
  const heads = [names.shares, names.wagered, names.taken, names.paid, names.back, names.commission, names.actual, names.theory,
    names.best, names.error];
  return h(Figures, {
    by, columns: [{ name: names.bet }, ...numbers(heads)],
    rows: bets.map(it => ({ key: it.bet, cells: [
      /** @type {Record<string, string>} */ (words.events.bets)[it.bet] ?? it.bet, number(it.shares),
      ...[it.wagered, it.taken, it.paid, it.back, it.commission].map(money),
      ...[it['actual-return'], it['theoretical-return'], it['best-return'], it['standard-error']].map(share),
    ] })),
  });
}
