// The pit: what staff see and do, each by their role. The house checks every right again.
import { h } from 'preact';
import { html } from '../html.js';
import { Link } from '../router.js';
import { look, me } from '../session.js';
import { Waiting, useLoaded } from '../ui/loaded.js';
import { words } from '../words/en.js';
import { Log } from './pit/log.js';
import { People } from './pit/people.js';
import { Reports } from './pit/report.js';
import { AllRounds } from './pit/rounds.js';
import { Table } from './pit/table.js';
import { Tables } from './pit/tables.js';

/** @import { Me, Role } from '../types.js' */

/** @type {Role[]} the lowest first; a higher one may act for a lower one */
const ROLES = ['player', 'dealer', 'pit-supervisor', 'pit-manager', 'gaming-shift-manager'];

/** @typedef {keyof typeof words.pit.parts} Part */

/** The least role for each part, as the house has it; people are for operators. @type {Record<Part, Role | 'operator'>} */
const FOR = { tables: 'dealer', rounds: 'pit-supervisor', report: 'pit-manager', log: 'pit-manager', people: 'operator' };

/** @param {Me} you @param {Role | 'operator'} least */
const may = (you, least) => (least === 'operator' ? you.operator : ROLES.indexOf(you.role) >= ROLES.indexOf(least));

/** @param {{ parts: import('../router.js').Parts }} props */
export default function Pit({ parts }) {
  const { value, error } = useLoaded(async () => ({ you: await look() }), []);
  const you = me.value;
  const part = /** @type {Part} */ (parts.part ?? 'tables');
  if (!value) return html`<section class="page"><h1>${words.nav.pit}</h1>${h(Waiting, { error })}</section>`;
  if (!you || !may(you, FOR[part] ?? 'operator')) {
    return html`<section class="page narrow"><h1>${words.pit.refused}</h1>
      <p>${you ? words.pit.refusedSays : words.pit.comeIn}</p>
      <p>${h(Link, { to: you ? '/' : '/account?to=/pit', class: 'button first' }, you ? words.common.toLobby : words.account.login)}</p>
    </section>`;
  }
  const listed = /** @type {Part[]} */ (Object.keys(words.pit.parts)).filter(it => may(you, FOR[it]));
  return html`<section class="page pit">
    <header class="page-head"><h1>${words.nav.pit}</h1>
      <p class="quiet">${words.pit.asRole(words.account.roles[you.operator ? 'operator' : you.role])}</p>
      <nav class="tabs" aria-label=${words.pit.partsLabel}>
        ${listed.map(it => h(Link, { to: it === 'tables' ? '/pit' : `/pit/${it}`, current: it === part, key: it }, words.pit.parts[it]))}
      </nav>
    </header>
    ${part === 'rounds' ? h(AllRounds, null)
      : part === 'report' ? h(Reports, null)
      : part === 'log' ? h(Log, { manages: may(you, 'operator') })
      : part === 'people' ? h(People, { you })
      : parts.id ? h(Table, { table: Number(parts.id) })
      : h(Tables, { manages: may(you, 'pit-manager') })}
  </section>`;
}
