// The exact odds of every bet in every house, with plots.
import { h } from 'preact';
import * as api from '../api.js';
import { average, decimal, money, number, percent, rate } from '../format.js';
import { html } from '../html.js';
import { Link, go, here } from '../router.js';
import { useAsked, useHouses } from '../ui/asked.js';
import { Figures, numbers } from '../ui/figures.js';
import { Bars, Length, Shares } from '../ui/plot.js';
import { Cards } from '../ui/setting.js';
import { words } from '../words/en.js';

/** @import { Odds as OddsOf, RulesInfo, Wagered } from '../types.js' */

const said = words.odds;
const kinds = /** @type {const} */ (['win', 'push', 'lose']);

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
    ${h(Figures, {
      by: 'compared', class: 'compared', columns: [{ name: said.house }, ...bets.map(bet => ({ name: said.short[bet], head: said.bets[bet], number: true }))],
      rows: houses.flatMap((house, at) => {
        const odds = all[at];
        return odds ? [{ key: house.id, cells: [h(Link, { to: `/odds?rules=${house.id}` }, house.name), ...bets.map(bet => {
          const it = of(odds, bet);
          if (typeof it !== 'number') return html`<span class="quiet">${bet === 'tiger' ? said.noBet : said.notCounted}</span>`;
          return html`${rate(it)}${h(Length, { share: it / longest, kind: `length-${bet}` })}`;
        })] }] : [];
      }),
    })}
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
  const shares = it => h(Shares, { parts: kinds.map(kind => (
    { name: said[kind], kind, share: it[kind] / it.deals, text: percent(it[kind] / it.deals) })) });
  return html`<section class="sheet" aria-labelledby="game">
    <h2 id="game">${said.game}</h2>
    <p class="quiet">${said.gameSays(odds.commission)}</p>
    ${odds['not-counted'] && html`<p>${said.notCountedSays(odds['not-counted'])}</p>`}
    <div class="games">${players.map(who => {
      const it = odds[who];
      return it && html`<div class="game" key=${who} data-who=${who}>
        <h3>${said.who[who]}</h3>
        ${shares(it)}
        <dl class="game-shares">${kinds.map(kind => html`<div key=${kind} class=${`is-${kind}`}>
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
    ${h(Figures, {
      by: 'fortune', class: 'pay-table',
      columns: [{ name: said.hand }, ...numbers([
        said.pays, ...(envy ? [said.envy] : []), said.hands, said.oneIn, ...(above ? [said.paidShare] : []), said.returns,
      ])],
      rows: [...fortune.lines.map((line, at) => ({ key: line.hand, data: { hand: line.hand }, cells: [
        words.cards.bonusHands[line.hand], said.toOne(number(line.pays)), ...(envy ? [line.envy ? money(line.envy) : ''] : []),
        number(line.hands), oneIn(line.hands), ...(above ? [percent(line.paid)] : []),
        html`${percent(returned[at] ?? 0)}${h(Length, { share: (returned[at] ?? 0) / most, kind: 'length-fortune' })}`,
      ] })), { key: 'rest', class: 'rest', cells: [
        said.nothing, '', ...(envy ? [''] : []), number(fortune.nothing), oneIn(fortune.nothing), ...(above ? [''] : []),
        `−${percent(fortune.nothing / odds.hands)}`,
      ] }],
    })}
  </section>`;
}

/** @param {{ odds: OddsOf }} props */
function Players({ odds }) {
  const { envy } = odds;
  if (!envy && odds['not-counted'] && odds.fortune.lines.some(line => line.envy)) return null;
  const waives = envy?.['waived-from'];
  return html`<section class="sheet" aria-labelledby="players">
    <h2 id="players">${said.players}</h2>
    ${envy ? html`
      <p class="quiet">${said.playersSays(money(envy.wager))} ${waives && said.waives(money(waives))}</p>
      <div class="plot-and-table">
        ${h(Bars, { label: said.playersPlot, x: said.others, axis: value => rate(value, 0), figures: true, wide: 440,
          bars: envy['by-others'].map(it => ({ name: String(it.others), value: it.edge, text: rate(it.edge, 2), kind: 'plot-fortune' })) })}
        ${h(Figures, {
          by: 'players',
          columns: numbers([said.others, said.brings, said.edge, ...(waives ? [said.paysFrom] : [])]),
          rows: envy['by-others'].map(it => ({ key: it.others, cells: [
            it.others, average(it.brings), rate(it.edge), ...(waives ? [it['pays-from'] ? average(it['pays-from'], 2) : said.any] : []),
          ] })),
        })}
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
  if (odds.categories.length === 0) return null;
  const legend = kinds.map((kind, at) => html`${at > 0 && ' · '}<span class=${`is-${kind}`} key=${kind}>${said[kind]}</span>`);
  return html`<section class="sheet" aria-labelledby="categories">
    <h2 id="categories">${said.categories}</h2>
    <p class="quiet">${said.categoriesSays}</p>
    ${h(Figures, {
      by: 'categories', class: 'by-category',
      columns: [{ name: said.category }, ...numbers([said.share]), { name: '', class: 'column-plot', head: legend },
        ...numbers(kinds.map(kind => said[kind]))],
      rows: odds.categories.map(it => {
        const deals = it.win + it.push + it.lose;
        return { key: it.category, cells: [it.category, percent(it.hands / odds.hands),
          h(Shares, { parts: kinds.map(kind => (
            { name: said[kind], kind, share: it[kind] / deals, text: percent(it[kind] / deals) })) }),
          ...kinds.map(kind => percent(it[kind] / deals, 1))] };
      }),
    })}
  </section>`;
}

/** @param {{ odds: OddsOf }} props */
function Better({ odds }) {
  const hands = odds['set-otherwise'];
  if (typeof hands !== 'number') return null;
  return html`<section class="sheet" aria-labelledby="better">
    <h2 id="better">${said.better}</h2>
    <p class="quiet">${said.betterSays(number(hands), percent(hands / odds.hands))}</p>
    ${h(Figures, {
      by: 'better', class: 'better-hands',
      columns: [...[said.such, said.houseLow, said.betterLow, said.clause].map(name => ({ name })),
        ...numbers([said.count, said.gains])],
      rows: odds.better.map(it => ({ key: it.cards.join(), cells: [
        h(Link, { to: `/look-up?cards=${it.cards.join('-')}` }, h(Cards, { cards: it.cards })),
        h(Cards, { cards: it.low }), h(Cards, { cards: it['other-low'] }), html`<span class="clause">${it.clause}</span>`,
        number(it.hands), rate(it.gain, 2),
      ] })),
    })}
  </section>`;
}

/** @param {{ odds: OddsOf }} props */
function Rows({ odds }) {
  if (odds.rows.length === 0) return null;
  const most = Math.max(...odds.rows.map(it => it['gives-away'] ?? 0));
  return html`<section class="sheet" aria-labelledby="rows">
    <h2 id="rows">${said.clauses}</h2>
    <p class="quiet">${said.clausesSays}</p>
    ${h(Figures, {
      by: 'rows', class: 'by-row',
      columns: [{ name: said.clause }, { name: said.about }, ...numbers([said.count, said.edge, said.givesAway])],
      rows: odds.rows.map(it => ({ key: it.row.place, cells: [
        html`<span class="clause">${it.row.id}</span>`, it.row.about, number(it.hands), rate(it.edge, 2),
        html`${rate(it['gives-away'] ?? 0)}${h(Length, { share: (it['gives-away'] ?? 0) / most, kind: 'length-lose' })}`,
      ] })),
    })}
  </section>`;
}
