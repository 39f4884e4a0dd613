// Small plots, drawn here. Each has a name for those who hear it, and a table beside it says the same in figures.
import { html } from '../html.js';

/**
 * What becomes of a wager: three shares of one bar.
 * @param {{ parts: { name: string, kind: 'win' | 'push' | 'lose', share: number, text: string }[] }} props
 */
export function Shares({ parts }) {
  const label = parts.map(part => `${part.name} ${part.text}`).join(', ');
  let from = 0;
  return html`<svg class="shares" viewBox="0 0 100 10" preserveAspectRatio="none" role="img" aria-label=${label}>
    ${parts.map(part => {
      const x = from;
      from += part.share * 100;
      return html`<rect key=${part.kind} class=${`share-${part.kind}`} x=${x} y="0" width=${part.share * 100} height="10">
        <title>${part.name} ${part.text}</title></rect>`;
    })}
  </svg>`;
}

/**
 * A length beside a figure.
 * @param {{ share: number, kind?: string }} props of the longest
 */
export function Length({ share, kind = '' }) {
  const width = Math.max(0, Math.min(1, share)) * 100;
  return html`<svg class=${`length ${kind}`} viewBox="0 0 100 6" preserveAspectRatio="none" aria-hidden="true">
    <rect class="length-ground" x="0" y="0" width="100" height="6" /><rect class="length-bar" x="0" y="0" width=${width} height="6" /></svg>`;
}

/** Steps that one likes to read, up to a highest value. @param {number} highest @param {number} about */
export function steps(highest, about = 4) {
  if (!(highest > 0)) return [0];
  const rough = highest / about;
  const size = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 2.5, 5, 10].map(it => it * size).find(it => it >= rough) ?? rough;
  return Array.from({ length: Math.floor(highest / step + 1e-9) + 1 }, (_, at) => at * step);
}

/**
 * Bars over a line, some of them below it.
 * @param {{
 *   label: string,
 *   bars: { name: string, value: number, text: string, kind?: string }[],
 *   axis: (value: number) => string,
 *   x: string,
 *   every?: number,
 *   figures?: boolean,
 *   wide?: number,
 * }} props `every` so many bars are named below; with `figures` each says its value; `wide` beside its height of 260
 */
export function Bars({ label, bars, axis, x, every = 1, figures = false, wide = 640 }) {
  const high = 260;
  const [left, right, top, bottom] = [54, 8, figures ? 26 : 12, 56];
  const values = bars.map(bar => bar.value);
  const highest = Math.max(0, ...values);
  const lowest = Math.min(0, ...values);
  const up = steps(highest);
  const down = lowest < 0 ? steps(-lowest).slice(1).map(it => -it) : [];
  const [most, least] = [Math.max(highest, up.at(-1) ?? 0), Math.min(lowest, down.at(-1) ?? 0)];
  const span = most - least || 1;
  /** @param {number} value */
  const y = value => top + (most - value) / span * (high - top - bottom);
  const slot = (wide - left - right) / bars.length;
  return html`<svg class=${wide < 500 ? 'plot plot-narrow' : 'plot'} viewBox=${`0 0 ${wide} ${high}`} role="img" aria-label=${label}>
    ${[...up, ...down].map(value => html`<g key=${value}>
      <line class=${value === 0 ? 'plot-zero' : 'plot-line'} x1=${left} x2=${wide - right} y1=${y(value)} y2=${y(value)} />
      <text class="plot-text" x=${left - 8} y=${y(value) + 4} text-anchor="end">${axis(value)}</text>
    </g>`)}
    ${bars.map((bar, at) => {
      const middle = left + slot * (at + 0.5);
      const [above, below] = [y(Math.max(0, bar.value)), y(Math.min(0, bar.value))];
      return html`<g key=${bar.name} class="plot-slot">
        <rect class=${`plot-bar ${bar.kind ?? ''}`} x=${middle - slot * 0.4} width=${slot * 0.8} y=${above}
          height=${Math.max(below - above, 0.5)} rx=${Math.min(3, slot * 0.15)}><title>${bar.text}</title></rect>
        ${figures && html`<text class="plot-figure" x=${middle} y=${above - 7} text-anchor="middle">${bar.text}</text>`}
        ${at % every === 0 && html`<text class="plot-text" x=${middle} y=${high - bottom + 22} text-anchor="middle">${bar.name}</text>`}
      </g>`;
    })}
    <text class="plot-title" x=${left + (wide - left - right) / 2} y=${high - 5} text-anchor="middle">${x}</text>
  </svg>`;
}
