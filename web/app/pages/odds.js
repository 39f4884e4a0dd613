// The exact odds of every bet in every house, with plots.
import { h } from 'preact';
import * as api from '../api.js';
import { average, decimal, money, number, percent, rate } from '../format.js';
import { html } from '../html.js';
import { Link, go, here } from '../router.js';
import { useAsked, useHouses } from '../ui/asked.js';
import { Bars, Length, Shares } from '../ui/plot.js';
import { Cards } from '../ui/setting.js';
import { words } from '../words/en.js';

/** @import { Odds as OddsOf, RulesInfo, Wagered } from '../types.js' */

const said = words.odds;

export default function Odds() {
  const houses = useHouses();
  const all = useAsked(houses && 'odds', () => Promise.all((houses ?? []).map(house => api.odds(house.id))));
  const wanted = here.value.query.get('rules') ?? 'mbs-2020';
  const one = all?.find(it => it.rules === wanted) ?? all?.[0];
  return html`<section class="page odds">
    <header class="page-head"><h1>${said.title}</h1><p class="quiet">${said.lead}
      ${one && ` ${said.deals(number(one.deals), number(one.hands))}`}</p></header>
    ${houses && all && one ? html`
      ${h(Compared, { houses, all })}
      ${h(Choose, { houses, chosen: one.rules })}
      ${h(Game, { odds: one })}
      ${h(Session, { odds: one })}
      ${h(FortuneTable, { odds: one })}
      ${h(Players, { odds: one })}
      ${h(TigerNine, { odds: one })}
      ${h(Categories, { odds: one })}
      ${h(Better, { odds: one })}
      ${h(Rows, { odds: one })}`
    : html`<p class="loading" role="status">${words.common.loading}</p>`}
  </section>`;
}

/** @param {{ houses: RulesInfo[], all: OddsOf[] }} props */
function Compared({ houses, all }) {
  const bets = /** @type {const} */ (['house-way', 'optimal', 'fortune', 'tiger']);
  /** @param {OddsOf} odds @param {typeof bets[number]} bet */
  const of = (odds, bet) => (bet === 'fortune' ? odds.fortune.edge : odds[bet]?.edge);
  const longest = Math.max(...all.flatMap(odds => bets.map(bet => of(odds, bet) ?? 0)));
  return html`<section class="sheet" aria-labelledby="compared">
    <h2 id="compared">${said.compared}</h2>
    <p class="quiet">${said.comparedSays}</p>
    <div class="wide" tabindex="0" role="region" aria-labelledby="compared"><table class="figures compared">
      <thead><tr><th scope="col">${said.house}</th>${bets.map(bet => html`<th scope="col" key=${bet}>${said.bets[bet]}</th>`)}</tr></thead>
      <tbody>${houses.map((house, at) => {
        const odds = all[at];
        return odds && html`<tr key=${house.id}><th scope="row">${h(Link, { to: `/odds?rules=${house.id}` }, house.name)}</th>
          ${bets.map(bet => {
            const it = of(odds, bet);
            return html`<td key=${bet} class="number" data-bet=${bet}>${typeof it === 'number'
              ? html`${rate(it)}${h(Length, { share: it / longest, kind: `length-${bet}` })}`
              : html`<span class="quiet">${said.noBet}</span>`}</td>`;
          })}</tr>`;
      })}</tbody>
    </table></div>
  </section>`;
}

/** @param {{ houses: RulesInfo[], chosen: string }} props */
function Choose({ houses, chosen }) {
  return html`<fieldset class="choice choose-house"><legend>${said.house}</legend>
    ${houses.map(house => html`<label key=${house.id}><input type="radio" name="house" value=${house.id} checked=${house.id === chosen}
      onChange=${() => go(`/odds?rules=${house.id}`, { replace: true })} /><span>${house.name}</span></label>`)}
  </fieldset>`;
}

/** @param {{ odds: OddsOf }} props */
function Game({ odds }) {
  const players = /** @type {const} */ (['house-way', 'optimal', 'waived', 'banker']);
  /** @type {(it: Wagered) => import('preact').VNode} */
  const shares = it => h(Shares, { parts: /** @type {const} */ (['win', 'push', 'lose']).map(kind => (
    { name: said[kind], kind, share: it[kind] / it.deals, text: percent(it[kind] / it.deals) })) });
  return html`<section class="sheet" aria-labelledby="game">
    <h2 id="game">${said.game}</h2>
    <p class="quiet">${said.gameSays(odds.commission)}</p>
    <div class="games">${players.map(who => {
      const it = odds[who];
      return it && html`<div class="game" key=${who} data-who=${who}>
        <h3>${said.who[who]}</h3>
        ${shares(it)}
        <dl class="game-shares">${/** @type {const} */ (['win', 'push', 'lose']).map(kind => html`<div key=${kind} class=${`is-${kind}`}>
          <dt>${said[kind]}</dt><dd>${percent(it[kind] / it.deals, 4)}</dd><dd class="count">${number(it[kind])}</dd></div>`)}</dl>
        <dl class="game-figures">
          <div><dt>${it.edge < 0 ? said.gain : said.edge}</dt><dd class="large">${rate(Math.abs(it.edge))}</dd></div>
          <div><dt>${said.variance}</dt><dd>${decimal(it.variance, 4)}</dd></div>
          <div><dt>${said.ahead}</dt><dd>${percent(it.ahead)}</dd></div>
        </dl>
      </div>`;
    })}</div>
  </section>`;
}

/** @param {{ odds: OddsOf }} props */
function Session({ odds }) {
  if (odds.session.length === 0 || !odds['house-way']) return null;
  const bars = odds.session.map(bar => ({
    name: String((bar.from + bar.to) / 2).replace('-', '−'),
    value: bar.chance,
    text: said.bar(bar.from, bar.to, percent(bar.chance)),
    kind: bar.from >= 0 ? 'plot-win' : bar.to <= 0 ? 'plot-lose' : 'plot-push',
  }));
  return html`<section class="sheet" aria-labelledby="session">
    <h2 id="session">${said.session}</h2>
    <p class="quiet">${said.sessionSays(percent(odds['house-way'].ahead))}</p>
    ${h(Bars, { label: said.sessionPlot, bars, x: said.units, axis: value => percent(value, 0), every: 5, wide: 600 })}
  </section>`;
}

/** @param {{ odds: OddsOf }} props */
function FortuneTable({ odds }) {
  const { fortune } = odds;
  const above = fortune['above-banker'];
  /** @param {number} hands */
  const oneIn = hands => decimal(odds.hands / hands, odds.hands / hands < 100 ? 1 : 0);
  const returned = fortune.lines.map(line => line.hands * line.pays / odds.hands);
  const most = Math.max(...returned);
  const envy = fortune.lines.some(line => line.envy);
  return html`<section class="sheet" aria-labelledby="fortune">
    <h2 id="fortune">${said.fortune}</h2>
    <p class="quiet">${said.fortuneSays} ${said.fortuneEdge(rate(fortune.edge), decimal(fortune.variance, 2))}
      ${above && ` ${said.aboveBanker(above, rate(fortune['table-edge']))}`}</p>
    <div class="wide" tabindex="0" role="region" aria-labelledby="fortune"><table class="figures pay-table">
      <thead><tr><th scope="col">${said.hand}</th><th scope="col" class="number">${said.pays}</th>
        ${envy && html`<th scope="col" class="number">${said.envy}</th>`}
        <th scope="col" class="number">${said.hands}</th><th scope="col" class="number">${said.oneIn}</th>
        ${above && html`<th scope="col" class="number">${said.paidShare}</th>`}
        <th scope="col" class="number">${said.returns}</th></tr></thead>
      <tbody>${fortune.lines.map((line, at) => html`<tr key=${line.hand} data-hand=${line.hand}>
          <th scope="row">${words.cards.bonusHands[line.hand]}</th>
          <td class="number">${said.toOne(number(line.pays))}</td>
          ${envy && html`<td class="number">${line.envy ? money(line.envy) : ''}</td>`}
          <td class="number">${number(line.hands)}</td><td class="number">${oneIn(line.hands)}</td>
          ${above && html`<td class="number">${percent(line.paid)}</td>`}
          <td class="number">${percent(returned[at] ?? 0)}${h(Length, { share: (returned[at] ?? 0) / most, kind: 'length-fortune' })}</td>
        </tr>`)}
        <tr class="rest"><th scope="row">${said.nothing}</th><td></td>${envy && html`<td></td>`}
          <td class="number">${number(fortune.nothing)}</td><td class="number">${oneIn(fortune.nothing)}</td>${above && html`<td></td>`}
          <td class="number">−${percent(fortune.nothing / odds.hands)}</td></tr></tbody>
    </table></div>
  </section>`;
}

/** @param {{ odds: OddsOf }} props */
function Players({ odds }) {
  const { envy } = odds;
  const waives = envy?.['waived-from'];
  return html`<section class="sheet" aria-labelledby="players">
    <h2 id="players">${said.players}</h2>
    ${envy ? html`
      <p class="quiet">${said.playersSays(money(envy.wager))}</p>
      <div class="plot-and-table">
        ${h(Bars, { label: said.playersPlot, x: said.others, axis: value => rate(value, 0), figures: true, wide: 440,
          bars: envy['by-others'].map(it => ({ name: String(it.others), value: it.edge, text: rate(it.edge, 2), kind: 'plot-fortune' })) })}
        <div class="wide" tabindex="0" role="region" aria-labelledby="players"><table class="figures">
          <thead><tr><th scope="col" class="number">${said.others}</th><th scope="col" class="number">${said.brings}</th>
            <th scope="col" class="number">${said.edge}</th>
            ${waives && html`<th scope="col" class="number">${said.paysFrom(money(waives))}</th>`}</tr></thead>
          <tbody>${envy['by-others'].map(it => html`<tr key=${it.others}><th scope="row" class="number">${it.others}</th>
            <td class="number">${average(it.brings)}</td><td class="number">${rate(it.edge)}</td>
            ${waives && html`<td class="number">${it['pays-from'] ? average(it['pays-from'], 2) : said.any}</td>`}</tr>`)}</tbody>
        </table></div>
      </div>` : html`<p class="quiet">${said.noEnvy}</p>`}
  </section>`;
}

/** @param {{ odds: OddsOf }} props */
function TigerNine({ odds }) {
  const { tiger } = odds;
  return tiger && html`<section class="sheet" aria-labelledby="tiger">
    <h2 id="tiger">${said.tiger}</h2>
    <p>${said.tigerSays(tiger.pays, number(tiger.hands), rate(tiger.edge), decimal(tiger.variance, 2))}</p>
  </section>`;
}

/** @param {{ odds: OddsOf }} props */
function Categories({ odds }) {
  return html`<section class="sheet" aria-labelledby="categories">
    <h2 id="categories">${said.categories}</h2>
    <p class="quiet">${said.categoriesSays}</p>
    <div class="wide" tabindex="0" role="region" aria-labelledby="categories"><table class="figures by-category">
      <thead><tr><th scope="col">${said.category}</th><th scope="col" class="number">${said.share}</th>
        <th scope="col" class="column-plot"><span class="is-win">${said.win}</span> · <span class="is-push">${said.push}</span> · <span class="is-lose">${said.lose}</span></th>
        <th scope="col" class="number">${said.win}</th><th scope="col" class="number">${said.push}</th><th scope="col" class="number">${said.lose}</th></tr></thead>
      <tbody>${odds.categories.map(it => {
        const deals = it.win + it.push + it.lose;
        return html`<tr key=${it.category}><th scope="row">${it.category}</th>
          <td class="number">${percent(it.hands / odds.hands)}</td>
          <td class="column-plot">${h(Shares, { parts: /** @type {const} */ (['win', 'push', 'lose']).map(kind => (
            { name: said[kind], kind, share: it[kind] / deals, text: percent(it[kind] / deals) })) })}</td>
          ${/** @type {const} */ (['win', 'push', 'lose']).map(kind => html`<td class="number" key=${kind}>${percent(it[kind] / deals, 1)}</td>`)}</tr>`;
      })}</tbody>
    </table></div>
  </section>`;
}

/** @param {{ odds: OddsOf }} props */
function Better({ odds }) {
  const hands = odds['set-otherwise'];
  if (typeof hands !== 'number') return null;
  return html`<section class="sheet" aria-labelledby="better">
    <h2 id="better">${said.better}</h2>
    <p class="quiet">${said.betterSays(number(hands), percent(hands / odds.hands))}</p>
    <div class="wide" tabindex="0" role="region" aria-labelledby="better"><table class="figures better-hands">
      <thead><tr><th scope="col">${said.such}</th><th scope="col">${said.houseLow}</th><th scope="col">${said.betterLow}</th>
        <th scope="col">${said.clause}</th><th scope="col" class="number">${said.count}</th><th scope="col" class="number">${said.gains}</th></tr></thead>
      <tbody>${odds.better.map(it => html`<tr key=${it.cards.join()}>
        <td>${h(Link, { to: `/look-up?cards=${it.cards.join('-')}` }, h(Cards, { cards: it.cards }))}</td>
        <td>${h(Cards, { cards: it.low })}</td><td>${h(Cards, { cards: it['other-low'] })}</td><td><span class="clause">${it.clause}</span></td>
        <td class="number">${number(it.hands)}</td><td class="number">${rate(it.gain, 2)}</td></tr>`)}</tbody>
    </table></div>
  </section>`;
}

/** @param {{ odds: OddsOf }} props */
function Rows({ odds }) {
  const most = Math.max(...odds.rows.map(it => it['gives-away'] ?? 0));
  return html`<section class="sheet" aria-labelledby="rows">
    <h2 id="rows">${said.clauses}</h2>
    <p class="quiet">${said.clausesSays}</p>
    <div class="wide" tabindex="0" role="region" aria-labelledby="rows"><table class="figures by-row">
      <thead><tr><th scope="col">${said.clause}</th><th scope="col">${said.about}</th><th scope="col" class="number">${said.count}</th>
        <th scope="col" class="number">${said.edge}</th><th scope="col" class="number">${said.givesAway}</th></tr></thead>
      <tbody>${odds.rows.map(it => html`<tr key=${it.row.place}><th scope="row"><span class="clause">${it.row.id}</span></th><td>${it.row.about}</td>
        <td class="number">${number(it.hands)}</td><td class="number">${rate(it.edge, 2)}</td>
        <td class="number">${rate(it['gives-away'] ?? 0)}${h(Length, { share: (it['gives-away'] ?? 0) / most, kind: 'length-lose' })}</td></tr>`)}</tbody>
    </table></div>
  </section>`;
}
