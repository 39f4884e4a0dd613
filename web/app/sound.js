// A few soft sounds, made on the spot. Off until they are turned on.
import { sound } from './theme.js';

/** @type {AudioContext | null} */
let context = null;

/** A tone that fades. @param {number} pitch @param {number} length @param {number} loud @param {number} [after] */
function tone(pitch, length, loud, after = 0) {
  if (sound.value !== 'on') return;
  context ??= new AudioContext();
  const start = context.currentTime + after;
  const source = context.createOscillator();
  const volume = context.createGain();
  source.type = 'triangle';
  source.frequency.value = pitch;
  volume.gain.setValueAtTime(loud, start);
  volume.gain.exponentialRampToValueAtTime(0.0001, start + length);
  source.connect(volume).connect(context.destination);
  source.start(start);
  source.stop(start + length);
}

export const cardSound = () => tone(520, 0.06, 0.05);
export const chipSound = () => tone(1_250, 0.05, 0.04);
export const winSound = () => [523, 659, 784].forEach((pitch, at) => tone(pitch, 0.25, 0.06, at * 0.09));
export const loseSound = () => tone(220, 0.25, 0.05);
