/**
 * The voice that a browser captured by its fake microphone. It is not known where in its file the microphone began, and
 * the microphone leaves out blocks when the machine is busy. So the samples that the page recorded are what was spoken,
 * and their chirps are searched.
 */
import { type ChirpPlace, chirpWave, recordedRateHz } from '../../../../core/vocabulary/voice.ts';
import type { VoiceHeardRecord } from '../../../record/series/voice.heard.ts';
import { bestShift, halved } from './correlation.ts';
import { type Heard, heardOf, type Spoken } from './signals.ts';

const perMs = recordedRateHz / 1000;
/** Difference of the clocks of samples and times that is left alone, ms. */
const toleranceMs = 1;
/** Length of the pieces in which one chirp is searched, ms: shorter than the least distance of two. */
const pieceMs = 1000;
/**
 * Least correlation of a chirp that was spoken; nothing has damaged it. At half the rate it may lie between two samples,
 * which lowers the correlation.
 */
const [leastCorrelation, leastHalfCorrelation] = [0.9, 0.5];

/** Returns what was captured, as a voice whose first sample was spoken when it was captured; undefined if nothing was. */
export function capturedVoice(lines: readonly VoiceHeardRecord[]): Spoken | undefined {
  const recorded = heardOf(lines);
  if (recorded === undefined) return undefined;
  const samples = evenly(recorded);
  return { samples, startMs: recorded.anchors[0]!.timeMs, chirps: chirpsIn(samples) };
}

/** Returns the samples at even times: with zeros where the microphone left out a block. */
function evenly({ samples, anchors }: Heard): Float32Array {
  const startMs = anchors[0]!.timeMs;
  let end = 0;
  const pieces = anchors.map(({ sample, timeMs }, k) => {
    const dueAt = Math.round((timeMs - startMs) * perMs);
    const at = dueAt - end > toleranceMs * perMs ? dueAt : end;
    const piece = samples.subarray(sample, anchors[k + 1]?.sample);
    end = at + piece.length;
    return { at, piece };
  });
  const even = new Float32Array(end);
  for (const { at, piece } of pieces) even.set(piece, at);
  return even;
}

/** Finds the chirps at half the rate, which is enough for sweeps up to 3.2 kHz, and then to a sample. */
function chirpsIn(samples: Float32Array): ChirpPlace[] {
  const half = halved(samples);
  const waves = (['up', 'down'] as const).map(sweep => {
    const wave = Float32Array.from(chirpWave(sweep, recordedRateHz));
    return { sweep, wave, halfWave: halved(wave) };
  });
  const found: ChirpPlace[] = [];
  for (let from = 0; from < half.length; from += (pieceMs * perMs) / 2)
    for (const { sweep, wave, halfWave } of waves) {
      const last = from + (pieceMs * perMs) / 2 - 1;
      const coarse = placeOf(halfWave, half, [from, last], leastHalfCorrelation);
      if (coarse === undefined) continue;
      const place = placeOf(wave, samples, [Math.max(2 * from, 2 * coarse - 2), 2 * coarse + 1], leastCorrelation);
      if (place !== undefined) found.push({ clipMs: place / perMs, sweep });
    }
  return found;
}

/** Returns the place from `first` to `last` at which the wave begins; undefined if its correlation is too low at all. */
function placeOf(
  wave: Float32Array,
  samples: Float32Array,
  [first, last]: readonly [number, number],
  least: number,
): number | undefined {
  const to = Math.min(last, samples.length - wave.length);
  if (to < first) return undefined;
  const piece = samples.subarray(first, to + wave.length);
  const { correlation, shift } = bestShift(wave, 0, wave.length, piece, 0, [first - to, 0]);
  return correlation < least ? undefined : first - shift;
}
