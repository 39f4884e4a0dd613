// Who sits in front of this browser. Whoever has no account plays as a guest, without being asked.
import { signal } from '@preact/signals';
import * as api from './api.js';

/** @import { Me } from './types.js' */

/** Who one is; nothing until it is known that one is someone. */
export const me = signal(/** @type {Me | null} */ (null));

/** Whether someone has come in with this browser. Nobody else needs to ask who they are. */
const CAME = 'houseway-came-in';

/** @type {Promise<Me | null> | null} */
let asked = null;

/** Looks who one is, if anyone. */
export function look() {
  if (!localStorage.getItem(CAME)) return Promise.resolve(null);
  asked ??= api.me().then(
    found => (me.value = found),
    error => {
      asked = null;
      if (error instanceof api.Refused && error.status === 401) {
        localStorage.removeItem(CAME);
        return null;
      }
      throw error;
    },
  );
  return asked;
}

/** Looks again: the wallet has changed. */
export async function lookAgain() {
  asked = null;
  return look();
}

/** Comes in as a guest, unless one is in already. @returns {Promise<Me>} */
export async function comeIn() {
  const found = await look();
  if (found) return found;
  const { you } = await api.guest();
  return take(you);
}

/** @param {Me} you */
export function take(you) {
  localStorage.setItem(CAME, 'yes');
  asked = Promise.resolve(you);
  me.value = you;
  return you;
}

/** Goes. */
export async function leave() {
  await api.logout();
  localStorage.removeItem(CAME);
  asked = null;
  me.value = null;
}
