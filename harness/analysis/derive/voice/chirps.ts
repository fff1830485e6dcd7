/** Finds the chirps of a voice in what was heard: the delay from mouth to ear. */
import { chirpWave, recordedRateHz } from '../../../../core/vocabulary/voice.ts';
import { bestShift } from './correlation.ts';
import { type Heard, HeardClock, type Spoken } from './signals.ts';

const perMs = recordedRateHz / 1000;
/** Longest delay that is looked for, ms: less than twice the interval of the chirps, at which the next sweep is equal. */
const longestMs = 3500;
/** Range around the delay of the last chirp that is searched first, ms. */
const nearMs = 60;
/** Least correlation of a chirp that was heard. One that was lost, or concealed, has less than 0.4. */
const leastCorrelation = 0.7;

/** A chirp that was heard: when it was spoken, and how much later it was heard. */
export type HeardChirp = { spokenMs: number; delayMs: number };

/** Returns the chirps that were spoken in the window and were heard, by time. */
export function heardChirps(spoken: Spoken, heard: Heard, window: { startMs: number; endMs: number }): HeardChirp[] {
  const clock = new HeardClock(heard);
  const lengthMs = spoken.samples.length / perMs;
  const waves = { up: chirp('up'), down: chirp('down') };
  const found: HeardChirp[] = [];
  const first = Math.floor((window.startMs - spoken.startMs) / lengthMs);
  for (let round = Math.max(0, first); spoken.startMs + round * lengthMs < window.endMs; round++) {
    for (const { clipMs, sweep } of spoken.chirps) {
      const spokenMs = spoken.startMs + round * lengthMs + clipMs;
      if (spokenMs < window.startMs || spokenMs >= window.endMs) continue;
      const delayMs = delayOf(waves[sweep], heard, clock, spokenMs, found.at(-1)?.delayMs);
      if (delayMs !== undefined) found.push({ spokenMs, delayMs });
    }
  }
  return found;
}

const chirp = (sweep: 'up' | 'down') => Float32Array.from(chirpWave(sweep, recordedRateHz));

function delayOf(
  wave: Float32Array,
  { samples }: Heard,
  clock: HeardClock,
  spokenMs: number,
  nearDelayMs: number | undefined,
): number | undefined {
  const begin = clock.sample(spokenMs);
  const search = (fromMs: number, toMs: number) => {
    const from = Math.max(0, begin + Math.round(fromMs * perMs));
    const to = Math.min(samples.length - wave.length, begin + Math.round(toMs * perMs));
    if (to < from) return undefined;
    // the roles are exchanged: the chirp is compared with a piece of what was heard
    const piece = samples.subarray(from, to + wave.length);
    const { correlation, shift } = bestShift(wave, 0, wave.length, piece, 0, [from - to, 0]);
    return correlation < leastCorrelation ? undefined : clock.timeMs(from - shift) - spokenMs;
  };
  const near = nearDelayMs === undefined ? undefined : search(Math.max(0, nearDelayMs - nearMs), nearDelayMs + nearMs);
  return near ?? search(0, longestMs);
}
