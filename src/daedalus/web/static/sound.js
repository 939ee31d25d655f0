// Three small sounds, made on the spot; silent until asked for.

import { remembered, remember } from "./settings.js";

/** @type {AudioContext|null} */ let context = null;

export const soundOn = () => remembered("sound", false);

export function toggleSound() {
  remember("sound", !soundOn());
  if (soundOn()) play("move");
  return soundOn();
}

const NOTES = { move: [[330, 0]], turn: [[440, 0]], end: [[392, 0], [494, 0.14], [587, 0.28]] };

/** @param {"move"|"turn"|"end"} kind */
export function play(kind) {
  if (!soundOn()) return;
  context ??= new AudioContext();
  for (const [pitch, after] of NOTES[kind]) {
    const [tone, volume, start] = [context.createOscillator(), context.createGain(), context.currentTime + after];
    tone.type = "triangle";
    tone.frequency.value = pitch;
    volume.gain.setValueAtTime(0.12, start);
    volume.gain.exponentialRampToValueAtTime(0.001, start + 0.18);
    tone.connect(volume).connect(context.destination);
    tone.start(start);
    tone.stop(start + 0.2);
  }
}
