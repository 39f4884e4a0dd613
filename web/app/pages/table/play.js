// A table as this browser knows it: the last view, what is known of its rules, and the way to ask for something.
import { useCallback, useEffect, useState } from 'preact/hooks';
import * as api from '../../api.js';
import { lookAgain, me } from '../../session.js';
import { command, link, watch } from '../../socket.js';
import { refusal, saying } from '../../ui/loaded.js';
import { complain } from '../../ui/toast.js';
import { words } from '../../words/en.js';

/** @import { Ask, Card, Happened, HandView, InWords, Me, Offer, Rules, SeatView } from '../../types.js' */
/** @import { TableInfo, TableUpdate, TableView } from '../../types.js' */

/**
 * @typedef {object} Play
 * @property {number} id
 * @property {TableUpdate} update
 * @property {TableView} view
 * @property {TableInfo | null} info
 * @property {Rules | null} rules
 * @property {Me | null} you
 * @property {SeatView[]} seats one's own
 * @property {(asked: Ask) => Promise<boolean>} ask whether it was done; a refusal is told
 * @property {(person: number | null | undefined) => string} nameOf
 * @property {Happened[]} happened what happened since bets were last opened
 */

/**
 * @param {number} id
 * @returns {{ play: Play | null, wrong: string | null }}
 */
export function usePlay(id) {
  const [update, setUpdate] = useState(/** @type {TableUpdate | null} */ (null));
  const [happened, setHappened] = useState(/** @type {Happened[]} */ ([]));
  const [wrong, setWrong] = useState(/** @type {string | null} */ (null));
  const [info, setInfo] = useState(/** @type {TableInfo | null} */ (null));
  const [rules, setRules] = useState(/** @type {Rules | null} */ (null));
  const you = me.value;

  useEffect(() => watch(id, told => {
    setUpdate(told);
    setHappened(before => {
      const all = [...before, ...told.happened];
      return all.slice(Math.max(0, all.findLastIndex(it => it.event === 'bets-opened')));
    });
  }, setWrong), [id]);
  const there = update !== null;
  useEffect(() => {
    if (!there) return;
    // Where it is missing the table can be played at all the same.
    api.table(id).then(found => {
      setInfo(found);
      return api.rulebook(found.rules).then(setRules);
    }).catch(() => {});
  }, [id, there]);

  const stack = update?.view.stack ?? null;
  const round = update?.view.last?.round;
  useEffect(() => {
    if (you) lookAgain().catch(() => {});
  }, [stack === null, round]);

  const ask = useCallback(async (/** @type {Ask} */ asked) => {
    try {
      const answer = await command(id, asked);
      if (answer.answer === 'done') return true;
      complain(refusal(answer));
    } catch (error) {
      complain(saying(error));
    }
    return false;
  }, [id]);

  if (!update) return { play: null, wrong };
  const { view } = update;
  /** @type {Play['nameOf']} */
  const nameOf = person => {
    if (person === null || person === undefined) return words.table.house;
    if (person === you?.person) return words.table.you;
    return update.people[String(person)]?.name ?? words.common.guest;
  };
  const seats = you ? view.seats.filter(seat => seat.person === you.person) : [];
  return { play: { id, update, view, info, rules, you, seats, ask, nameOf, happened }, wrong };
}

/**
 * The offers of a kind.
 * @template {Offer['do']} K
 * @param {TableView} view
 * @param {K} kind
 * @returns {Extract<Offer, { do: K }>[]}
 */
export function offers(view, kind) {
  return /** @type {any} */ (view.options.filter(offer => offer.do === kind));
}

/** Two cards as one text, whichever comes first. @param {Card[]} cards */
export const key = cards => cards.toSorted().join(' ');

/** Every way to take two of some cards, with those that stay. @param {Card[]} cards */
export function pairs(cards) {
  return cards.flatMap((one, at) => cards.slice(at + 1).map(other => {
    const low = [one, other];
    return { low, high: cards.filter(card => !low.includes(card)) };
  }));
}

/**
 * What hands are called at a table, asked of the house.
 * @param {number} id
 * @param {{ low: Card[], high: Card[] }[]} hands
 * @returns {Map<string, InWords>} by their Low cards
 */
export function useNames(id, hands) {
  const [names, setNames] = useState(/** @type {Map<string, InWords>} */ (new Map()));
  const wanted = hands.map(hand => key(hand.low)).join('/');
  // What could not be asked while the house was away is asked when it is back.
  const reachable = link.value === 'open';
  useEffect(() => {
    if (hands.length === 0 || !reachable) return undefined;
    let gone = false;
    api.nameHands(id, hands).then(found => {
      if (!gone) setNames(new Map(hands.map((hand, at) => [key(hand.low), /** @type {InWords} */ (found[at])])));
    }).catch(() => {});
    return () => {
      gone = true;
    };
  }, [id, wanted, reachable]);
  return names;
}

/** The set hands among some. @param {(HandView | null | undefined)[]} hands */
export const setHands = hands => hands.flatMap(hand => (hand?.cards === 'set' ? [{ low: hand.low, high: hand.high }] : []));
