// Which page is shown. Every page is one line of this list; its file is fetched when it is first needed.
import { h } from 'preact';
import { signal } from '@preact/signals';
import { words } from './words/en.js';

/** @typedef {Record<string, string>} Parts what a path says, by the names in its pattern */
/** @typedef {import('preact').ComponentType<{ parts: Parts }>} PageComponent */

/**
 * @typedef {object} Page
 * @property {string} path its pattern; the server answers the first words of these paths with the document
 * @property {string} title
 * @property {() => Promise<{ default: PageComponent }>} load
 * @property {'everyone' | 'staff'} [nav] who finds it in the navigation
 */

/** @type {Page[]} */
export const pages = [
  { path: '/', title: words.nav.lobby, load: () => import('./pages/lobby.js'), nav: 'everyone' },
  { path: '/table/:table', title: words.nav.table, load: () => import('./pages/table.js') },
  { path: '/trainer', title: words.nav.trainer, load: () => import('./pages/trainer.js'), nav: 'everyone' },
  { path: '/look-up', title: words.nav.lookUp, load: () => import('./pages/look-up.js'), nav: 'everyone' },
  { path: '/odds', title: words.nav.odds, load: () => import('./pages/odds.js'), nav: 'everyone' },
  { path: '/rules', title: words.nav.rules, load: () => import('./pages/rules.js'), nav: 'everyone' },
  { path: '/rules/:id', title: words.nav.rules, load: () => import('./pages/rules.js') },
  { path: '/history', title: words.nav.history, load: () => import('./pages/history.js'), nav: 'everyone' },
  { path: '/round/:table/:round', title: words.nav.round, load: () => import('./pages/round.js') },
  { path: '/proof', title: words.nav.proof, load: () => import('./pages/proof.js') },
  { path: '/account', title: words.nav.account, load: () => import('./pages/account.js') },
  { path: '/pit', title: words.nav.pit, load: () => import('./pages/pit.js'), nav: 'staff' },
  { path: '/pit/:part', title: words.nav.pit, load: () => import('./pages/pit.js') },
  { path: '/pit/:part/:id', title: words.nav.pit, load: () => import('./pages/pit.js') },
];

/** Where one is: a path, and what is asked behind it. */
export const here = signal({ path: location.pathname, query: new URLSearchParams(location.search) });

function arrive() {
  here.value = { path: location.pathname, query: new URLSearchParams(location.search) };
}

addEventListener('popstate', arrive);

/** Goes to a page. @param {string} to @param {{ replace?: boolean }} [how] */
export function go(to, { replace = false } = {}) {
  if (replace) history.replaceState(null, '', to);
  else history.pushState(null, '', to);
  arrive();
  if (!replace) window.scrollTo(0, 0);
}

/**
 * The page of a path, with what the path says.
 * @param {string} path
 * @returns {{ page: Page, parts: Parts } | null}
 */
export function find(path) {
  const given = path.replace(/\/+$/, '').split('/');
  for (const page of pages) {
    const pattern = page.path.replace(/\/+$/, '').split('/');
    if (pattern.length !== given.length) continue;
    /** @type {Parts} */
    const parts = {};
    const fits = pattern.every((name, at) => {
      const said = given[at] ?? '';
      if (!name.startsWith(':')) return name === said;
      parts[name.slice(1)] = decodeURIComponent(said);
      return said !== '';
    });
    if (fits) return { page, parts };
  }
  return null;
}

/**
 * A link to a page of the table, without loading the document anew.
 * @param {{ to: string, class?: string, current?: boolean, children?: import('preact').ComponentChildren }} props
 */
export function Link({ to, class: name, current, children }) {
  /** @param {MouseEvent} event */
  const click = event => {
    if (event.defaultPrevented || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey) return;
    event.preventDefault();
    go(to);
  };
  return h('a', { href: to, class: name, onClick: click, 'aria-current': current ? 'page' : undefined }, children);
}
