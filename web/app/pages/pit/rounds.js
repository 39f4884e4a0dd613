// Everyone's rounds.
import { h } from 'preact';
import { html } from '../../html.js';
import * as api from '../../api.js';
import { Rounds } from '../../ui/rounds.js';
import { words } from '../../words/en.js';

export function AllRounds() {
  return h(Rounds, { base: '/pit/rounds', load: api.rounds, sum: false, none: html`<p>${words.pit.roundsNone}</p>` });
}
