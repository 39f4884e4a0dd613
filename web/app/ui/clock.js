// How much time is left: a ring that runs out, and the seconds.
import { useEffect, useState } from 'preact/hooks';
import { html } from '../html.js';
import { houseNow } from '../socket.js';
import { words } from '../words/en.js';

const LOOK = 250;
/** From here on it is urgent, in seconds. */
const SOON = 10;

/** @param {{ until: number }} props in the house's time */
export function Clock({ until }) {
  const [left, setLeft] = useState(until - houseNow());
  const [whole, setWhole] = useState(until - houseNow());
  useEffect(() => {
    setWhole(until - houseNow());
    const look = () => setLeft(until - houseNow());
    look();
    const timer = setInterval(look, LOOK);
    return () => clearInterval(timer);
  }, [until]);
  const seconds = Math.max(0, Math.ceil(left / 1000));
  const share = Math.max(0, Math.min(1, left / Math.max(whole, 1)));
  const shown = seconds >= 60 ? `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}` : String(seconds);
  return html`<span class=${`clock ${seconds <= SOON ? 'soon' : ''}`} role="timer" aria-label=${words.common.seconds(seconds)}
      title=${words.common.inTime}>
    <svg viewBox="0 0 36 36" aria-hidden="true">
      <circle class="clock-track" cx="18" cy="18" r="15.500" />
      <circle class="clock-left" cx="18" cy="18" r="15.500" pathLength="100" stroke-dasharray=${`${share * 100} 100`} />
    </svg>
    <span aria-hidden="true">${shown}</span>
  </span>`;
}
