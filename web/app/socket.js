// The live protocol: tables that are watched and commands that are answered, over one socket that is opened
// again whenever it breaks. A command keeps its name until it is answered, so sending it again is safe.
import { signal } from '@preact/signals';
import { note } from './noted.js';

/** @import { Answered, Ask, FromClient, FromServer, TableUpdate } from './types.js' */

/** @typedef {(update: TableUpdate) => void} Told */

/** Whether the house can be heard: on its way, open, or lost and being looked for. */
export const link = signal(/** @type {'closed' | 'opening' | 'open' | 'lost'} */ ('closed'));

/** How far this machine's clock is behind the house's, in milliseconds. */
let behind = 0;

/** What time it is at the house. */
export const houseNow = () => Date.now() + behind;

const FIRST_WAIT = 250;
const LONGEST_WAIT = 5_000;
/** A silent house is asked now and then, so that a dead connection is found out. */
const PING = 20_000;

/** @type {WebSocket | null} */
let socket = null;
let wait = FIRST_WAIT;
let pings = 0;
let ponged = 0;

/** @type {Map<number, { told: Told, wrong: (why: string) => void, version: number | null }>} */
const watched = new Map();

/** @type {Map<string, { message: FromClient, done: (answer: Answered) => void, fail: (error: Error) => void }>} */
const unanswered = new Map();

/** @param {FromClient} message */
function say(message) {
  if (socket?.readyState === WebSocket.OPEN) socket.send(JSON.stringify(message));
}

function open() {
  if (socket) return;
  if (link.value === 'closed') link.value = 'opening';
  const fresh = new WebSocket(`${location.origin.replace(/^http/, 'ws')}/api/socket`);
  socket = fresh;
  fresh.onmessage = event => {
    if (socket === fresh) hear(JSON.parse(event.data));
  };
  fresh.onclose = () => {
    if (socket !== fresh) return;
    socket = null;
    if (watched.size === 0 && unanswered.size === 0) {
      link.value = 'closed';
      return;
    }
    link.value = 'lost';
    setTimeout(open, wait * (0.75 + Math.random() / 2));
    wait = Math.min(wait * 2, LONGEST_WAIT);
  };
}

/** @param {FromServer} message */
function hear(message) {
  switch (message.type) {
    case 'welcome':
      behind = message.now - Date.now();
      wait = FIRST_WAIT;
      link.value = 'open';
      for (const [table, { version }] of watched) say({ type: 'watch', table, since: version });
      for (const { message: again } of unanswered.values()) say(again);
      break;
    case 'table': {
      behind = message.now - Date.now();
      note(message);
      const watching = watched.get(message.table);
      if (!watching) break;
      watching.version = message.version;
      watching.told(message);
      break;
    }
    case 'answer':
      unanswered.get(message.id)?.done(message.answer);
      unanswered.delete(message.id);
      break;
    case 'failed': {
      const asked = unanswered.get(message.id);
      if (!asked) break;
      if (message.again) {
        setTimeout(() => say(asked.message), LONGEST_WAIT / 5);
      } else {
        asked.fail(new Error(message.why));
        unanswered.delete(message.id);
      }
      break;
    }
    case 'wrong':
      for (const watching of watched.values()) {
        if (watching.version === null) watching.wrong(message.why);
      }
      break;
    case 'pong':
      ponged = message.n;
      break;
    case 'bye':
      break;
  }
}

setInterval(() => {
  if (socket?.readyState !== WebSocket.OPEN) return;
  if (ponged < pings) {
    socket.close();
    return;
  }
  pings += 1;
  say({ type: 'ping', n: pings });
}, PING);

addEventListener('online', () => {
  wait = FIRST_WAIT;
});

/**
 * Watches a table until told otherwise.
 * @param {number} table
 * @param {Told} told with every change
 * @param {(why: string) => void} wrong where there is no such table
 * @returns {() => void} watches it no longer
 */
export function watch(table, told, wrong) {
  watched.set(table, { told, wrong, version: null });
  if (link.value === 'open') say({ type: 'watch', table });
  open();
  return () => {
    watched.delete(table);
    say({ type: 'unwatch', table });
  };
}

/**
 * Asks something of a table.
 * @param {number} table
 * @param {Ask} asked
 * @returns {Promise<Answered>}
 */
export function command(table, asked) {
  const id = uuid();
  return new Promise((done, fail) => {
    /** @type {FromClient} */
    const message = { type: 'command', table, id, command: asked };
    unanswered.set(id, { message, done, fail });
    if (link.value === 'open') say(message);
    open();
  });
}

/** Opens the socket anew, as whoever one is now. */
export function reopen() {
  const old = socket;
  socket = null;
  old?.close();
  if (watched.size > 0) {
    link.value = 'opening';
    open();
  }
}

/**
 * A fresh name, a UUID of version 7: it begins with the time, so the house finds names that were made
 * together in one place.
 */
function uuid() {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  const [view, now] = [new DataView(bytes.buffer), Date.now()];
  view.setUint32(0, now / 2 ** 16);
  view.setUint16(4, now);
  bytes[6] = (bytes[6] ?? 0) & 0x0f | 0x70;
  bytes[8] = (bytes[8] ?? 0) & 0x3f | 0x80;
  const digits = Array.from(bytes, byte => byte.toString(16).padStart(2, '0')).join('');
  return digits.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}
