// The header of every page: where one can go, who one is, how it looks.
import { h } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { html } from '../html.js';
import { money } from '../format.js';
import { Link, find, pages } from '../router.js';
import { useOwnTables } from '../seated.js';
import { me } from '../session.js';
import { link } from '../socket.js';
import { coach, sound, theme } from '../theme.js';
import { words } from '../words/en.js';
import { Choice } from './choice.js';

/** The house's mark. */
export const Mark = () => html`<svg class="mark" viewBox="0 0 32 32" aria-hidden="true">
  <rect x="4" y="5" width="14" height="21" rx="2.500" class="mark-back" transform="rotate(-9 11 16)" />
  <rect x="13" y="5" width="15" height="22" rx="2.500" class="mark-front" />
  <path d="M20.500 10c2.500 3.200 5 5 5 7.500 0 1.800-1.400 3-2.800 3-.8 0-1.400-.3-1.800-.8.1 1.200.5 2.200 1.300 3.100h-3.500c.8-.9 1.200-1.900 1.300-3.100-.4.5-1 .8-1.800.8-1.400 0-2.800-1.200-2.800-3 0-2.500 2.600-4.300 5.100-7.500z" class="mark-pip" />
</svg>`;

/** @param {{ path: string }} props */
export function Header({ path }) {
  const [open, setOpen] = useState(false);
  const you = me.value;
  const staff = you !== null && (you.operator || you.role !== 'player');
  const listed = pages.filter(page => page.nav === 'everyone' || page.nav === 'staff' && staff);
  const current = find(path)?.page.title;
  const [table] = useOwnTables(path);
  return html`<header class="header">
    ${h(Link, { to: '/', class: 'brand' }, h(Mark, null), html`<span>${words.common.name}</span>`)}
    <button type="button" class="menu plain" aria-expanded=${open} aria-controls="nav" aria-label=${words.nav.menu}
        onClick=${() => setOpen(!open)}><svg viewBox="0 0 24 24" aria-hidden="true"><path d="M4 7h16M4 12h16M4 17h16" /></svg></button>
    <nav id="nav" class=${open ? 'open' : ''} aria-label=${words.nav.label} onClick=${() => setOpen(false)}>
      ${table !== undefined && h(Link, { to: `/table/${table}`, class: 'to-table' }, words.common.toTable)}
      ${listed.map(page => h(Link, { to: page.path, key: page.path, current: page.title === current }, page.title))}
    </nav>
    <div class="who">
      ${link.value === 'lost' && html`<span class="link-lost" role="status">${words.common.lost}</span>`}
      ${h(Link, { to: '/account', class: 'you', current: path === '/account' }, you
        ? html`<span class="only-read">${words.nav.account}: </span><span class="you-name">${you.name}</span> <span class="you-wallet">${money(you.wallet)}</span>`
        : words.nav.account)}
      ${h(Settings, null)}
    </div>
  </header>`;
}

/** What people choose for themselves. */
function Settings() {
  const details = useRef(/** @type {HTMLDetailsElement | null} */ (null));
  useEffect(() => {
    /** @param {Event} event */
    const close = event => {
      const open = details.current;
      if (!open?.open) return;
      const escaped = event instanceof KeyboardEvent && event.key === 'Escape';
      const beside = event.type === 'pointerdown' && event.target instanceof Node && !open.contains(event.target);
      if (escaped || beside) open.open = false;
      if (escaped) open.querySelector('summary')?.focus();
    };
    document.addEventListener('pointerdown', close);
    document.addEventListener('keydown', close);
    return () => {
      document.removeEventListener('pointerdown', close);
      document.removeEventListener('keydown', close);
    };
  }, []);
  return html`<details class="settings" ref=${details}>
    <summary aria-label=${words.common.settings} title=${words.common.settings}>
      <svg viewBox="0 0 24 24" aria-hidden="true"><path d="M4 7h9M17 7h3M4 17h3M11 17h9" /><circle cx="15" cy="7" r="2.200" /><circle cx="9" cy="17" r="2.200" /></svg>
    </summary>
    <div class="settings-list">
      ${h(Kept, { name: 'theme', label: words.common.theme, kept: theme, labels: words.common.themes })}
      ${h(Kept, { name: 'coach', label: words.common.coach, kept: coach, labels: words.common.onOff })}
      ${h(Kept, { name: 'sound', label: words.common.sound, kept: sound, labels: words.common.onOff })}
    </div>
  </details>`;
}

/**
 * A choice that is kept in this browser.
 * @template {string} T
 * @param {{ name: string, label: string, kept: { value: T }, labels: Record<T, string> }} props
 */
function Kept({ name, label, kept, labels }) {
  const choose = (/** @type {string} */ value) => {
    kept.value = /** @type {T} */ (value);
  };
  return h(Choice, { name, label, labels, value: kept.value, choose });
}
