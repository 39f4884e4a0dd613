// The tables one sits at or has money at, kept in this browser so that one finds back. Whether one is still there is
// asked of the house before it is said.
import { useEffect, useState } from 'preact/hooks';
import * as api from './api.js';
import { remember, remembered } from './remembered.js';
import { me } from './session.js';

/** @typedef {{ table: number, person: number }} Seat */

const KEY = 'houseway-seated';

/** @returns {Seat[]} */
const all = () => remembered(KEY);

/** Keeps in mind that someone is at a table, or no longer. @param {number} table @param {number} person @param {boolean} there */
export function keepSeat(table, person, there) {
  const others = all().filter(it => it.table !== table || it.person !== person);
  remember(KEY, there ? [{ table, person }, ...others] : others);
}

/** Whether someone is still at a table. @param {Seat} seat */
async function isThere({ table, person }) {
  try {
    const { view } = await api.view(table);
    return view.seats.some(seat => seat.person === person) || (view.stack ?? 0) > 0;
  } catch (error) {
    // A house that is away may still have the table.
    return error instanceof api.Refused && error.status === 404 ? false : null;
  }
}

/**
 * The tables one can go back to, the last one first.
 * @param {string} path the page one is on: its own table is not told, and the house is asked anew on each
 * @returns {number[]}
 */
export function useOwnTables(path) {
  const [tables, set] = useState(/** @type {number[]} */ ([]));
  const person = me.value?.person;
  useEffect(() => {
    let gone = false;
    const own = all().filter(it => it.person === person && path !== `/table/${it.table}`);
    Promise.all(own.map(async seat => {
      const there = await isThere(seat);
      if (there === false) keepSeat(seat.table, seat.person, false);
      return there ? [seat.table] : [];
    })).then(found => gone || set(found.flat()));
    return () => {
      gone = true;
    };
  }, [path, person]);
  return tables;
}
