// The rulebooks' names. They do not change while the house is open, so they are asked for once.
import { useEffect, useState } from 'preact/hooks';
import * as api from '../api.js';

/** @import { RulesInfo } from '../types.js' */

/** @type {Promise<RulesInfo[]> | null} */
let asked = null;

/** @returns {{ all: RulesInfo[], name: (id: string) => string }} ids stand for names until those are known */
export function useRulebooks() {
  const [all, set] = useState(/** @type {RulesInfo[]} */ ([]));
  useEffect(() => {
    asked ??= api.rulebooks();
    asked.then(set, () => {
      asked = null;
    });
  }, []);
  return { all, name: id => all.find(it => it.id === id)?.name ?? id };
}
