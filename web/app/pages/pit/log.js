// The audit log: every entry of the house's and the tables' logs, what is sealed left out.
import { h } from 'preact';
import { useState } from 'preact/hooks';
import { html } from '../../html.js';
import * as api from '../../api.js';
import { when } from '../../format.js';
import { go, here } from '../../router.js';
import { Waiting, saying, useLoaded } from '../../ui/loaded.js';
import { complain } from '../../ui/toast.js';
import { told } from '../../ui/told.js';
import { words } from '../../words/en.js';

/** @import { LogEntry } from '../../types.js' */

const PAGE = 50;

/** @param {{ manages: boolean }} props whether one may check the books */
export function Log({ manages }) {
  const { query } = here.value;
  const stream = query.get('stream') ?? 'house';
  const asked = query.get('until');
  const { value, error } = useLoaded(async () => {
    const heads = await api.heads();
    const version = heads.find(it => it.stream === stream)?.version ?? 0;
    const last = Math.min(asked === null ? version : Number(asked) || version, version);
    const first = Math.max(last - PAGE, 0);
    const entries = last > 0 ? await api.log(stream, first, last - first) : [];
    return { heads, version, first, last, entries: entries.toReversed() };
  }, [stream, asked]);
  if (!value) return h(Waiting, { error });
  /** @param {number | null} until */
  const to = until => go(`/pit/log?${new URLSearchParams({ stream, ...(until === null ? {} : { until: String(until) }) })}`);
  const streams = value.heads.filter(it => it.stream in words.pit.streams || it.stream.startsWith('table/'));
  return html`
    <form class="filters" onSubmit=${(/** @type {Event} */ event) => event.preventDefault()}>
      <label class="field two"><span>${words.pit.stream}</span>
        <select name="stream" onChange=${(/** @type {any} */ event) => go(`/pit/log?stream=${encodeURIComponent(event.currentTarget.value)}`)}>
          ${streams.every(it => it.stream !== 'house') && html`<option value="house" selected=${stream === 'house'}>${words.pit.streams.house}</option>`}
          ${streams.map(it => html`<option key=${it.stream} value=${it.stream} selected=${it.stream === stream}>
            ${words.pit.streams[it.stream] ?? words.pit.streamOf(it.stream.slice('table/'.length))}</option>`)}
        </select></label>
      ${manages && h(Books, null)}
    </form>
    <p class="quiet">${words.pit.chain}</p>
    ${value.entries.length === 0 ? html`<p class="sheet nothing">${words.pit.logNone}</p>` : html`
      <div class="log-pages"><span role="status">${words.pit.entries(value.first + 1, value.last, value.version)}</span>
        <button type="button" class="small" disabled=${value.last === value.version}
          onClick=${() => to(value.last + PAGE >= value.version ? null : value.last + PAGE)}>${words.pit.newer}</button>
        <button type="button" class="small" disabled=${value.first === 0} onClick=${() => to(value.first)}>${words.pit.older}</button></div>
      <ol class="log" aria-label=${words.pit.parts.log}>${value.entries.map(it => h(Entry, { entry: it, key: it.version }))}</ol>`}`;
}

/** A log goes by numbers, not by who reads it. @type {import('../../ui/told.js').Names} */
const names = {
  person: person => (person === 0 ? words.events.house : words.events.person(person)),
  seat: words.events.seat,
};

/** What an entry tells, in a line: what the house did to people, or what happened at a table. @param {LogEntry} entry */
function summary({ kind, body }) {
  const it = /** @type {Record<string, any>} */ (body ?? {});
  const labels = /** @type {Record<string, string>} */ (words.pit.kinds);
  const by = typeof it.by === 'object' && it.by !== null ? names.person(it.by.person) : words.pit.commandLine;
  if (kind === 'every-card') return words.pit.looked(it.table, it.round, by, it.why);
  if (kind === 'conceded-hands') return words.pit.lookedAtConceded(it.table, it.round, by, it.why);
  if (labels[kind] && it.person !== undefined) {
    return words.pit.altered(labels[kind], names.person(it.person), by, it.why ?? '');
  }
  return it.record?.happened ? told(it.record.happened, names) : kind;
}

/** @param {{ entry: LogEntry }} props */
function Entry({ entry }) {
  const body = entry.body === null || entry.body === undefined ? null : JSON.stringify(entry.body, null, 2);
  return html`<li><details>
    <summary><span class="log-version">${entry.version}</span><span data-kind=${entry.kind}>${summary(entry)}</span><time>${when(entry.at)}</time></summary>
    ${body ? html`<pre tabindex="0">${body}</pre>` : html`<p class="quiet">${words.pit.sealed}</p>`}
    <p class="quiet log-hash">${words.pit.hash}: <code>${entry.hash}</code></p>
  </details></li>`;
}

/** Whether the balances are what moved. */
function Books() {
  const [found, set] = useState(/** @type {string[] | null} */ (null));
  const check = async () => {
    try {
      set((await api.books()).differences);
    } catch (error) {
      complain(saying(error));
    }
  };
  return html`<button type="button" data-do="books" onClick=${check}>${words.pit.books}</button>
    <div role="status">${found?.length === 0 ? html`<p>${words.pit.booksRight}</p>`
      : (found ?? []).map(it => html`<p class="wrong" key=${it}>${it}</p>`)}</div>`;
}
