/** The voice that is sent in a loop: a synthesised one, or a WAV file of the user; with chirps that mark its places. */
import { statSync } from 'node:fs';
import { CoexistError } from '../../../core/errors.ts';
import { seededRandom } from '../../../core/random.ts';
import { readBegin } from '../../../core/system/regular-file.ts';
import {
  chirpMarginMs,
  chirpMs,
  chirpPlaces,
  chirpWave,
  recordedRateHz,
  voiceRateHz,
} from '../../../core/vocabulary/voice.ts';
import { synthesiseVoice } from './synthesis.ts';
import { readWav } from './wav.ts';

/** Length of the synthesised voice, s: a whole number of pairs of chirps, so that sweeps alternate across the loop. */
const synthesisedS = 20;
/** Seed of the synthesised voice. A change of the seed or of the synthesis makes another voice. */
const seed = 48;
/** Length that a voice may have, s: room for two chirps, and what fits into memory and record. */
const [leastS, mostS] = [4, 300];
/** Level below which a voice is silent: root mean square, where full scale is 1 (-60 dB). */
const silentRms = 1e-3;
const fullScale = 32_767;
const mostBytes = (mostS + 1) * voiceRateHz * 2;
const samplesOf = (ms: number) => Math.round((ms * voiceRateHz) / 1000);

/** Returns the samples of the voice at 48 kHz. `path`: WAV file; null for the synthesised voice. */
export function loadVoice(path: string | null): Int16Array {
  if (path === null) {
    const voice = synthesiseVoice(synthesisedS * voiceRateHz, seededRandom(seed));
    return withChirps(Int16Array.from(voice, sample => Math.round(sample * fullScale)));
  }
  const sizeBytes = statSync(path, { throwIfNoEntry: false })?.size;
  if (sizeBytes === undefined) throw new CoexistError('bad-clip', `the voice ${path} does not exist`);
  // of a file that is too long only the begin is read: its format may be wrong, too
  const samples = readWav(readBegin(path, mostBytes), path);
  const seconds = samples.length / voiceRateHz;
  if (sizeBytes > mostBytes || seconds < leastS || seconds > mostS) {
    const all = sizeBytes > mostBytes ? `about ${Math.round(sizeBytes / 2 / voiceRateHz)}` : seconds.toFixed(1);
    throw new CoexistError('bad-clip', `the voice ${path} has ${all} s; it must have ${leastS} to ${mostS} s`);
  }
  const energy = samples.reduce((sum, sample) => sum + (sample / fullScale) ** 2, 0);
  if (Math.sqrt(energy / samples.length) < silentRms)
    throw new CoexistError('bad-clip', `the voice ${path} is silent`, { hint: 'give a file in which someone speaks' });
  return withChirps(samples);
}

/** Replaces the voice at the places of the chirps by the chirps, in place. */
function withChirps(samples: Int16Array): Int16Array {
  for (const { clipMs, sweep } of chirpPlaces((samples.length * 1000) / voiceRateHz)) {
    samples.fill(0, samplesOf(clipMs - chirpMarginMs), samplesOf(clipMs + chirpMs + chirpMarginMs));
    const chirp = chirpWave(sweep, voiceRateHz);
    for (const [i, sample] of chirp.entries()) samples[samplesOf(clipMs) + i] = Math.round(sample * fullScale);
  }
  return samples;
}

/** Number of coefficients of the low pass; the delay is half of them. Its cut-off is below half the recorded rate. */
const taps = 61;
const cutOffHz = 7200;

/** Returns the voice at the recorded rate, 16 kHz: low pass (sinc in a Hamming window), then every third sample. */
export function recordedVoice(samples: Int16Array): Int16Array {
  const step = voiceRateHz / recordedRateHz;
  const middle = (taps - 1) / 2;
  const raw = Array.from({ length: taps }, (_, k) => {
    const x = (2 * cutOffHz * (k - middle)) / voiceRateHz;
    const sinc = x === 0 ? 1 : Math.sin(Math.PI * x) / (Math.PI * x);
    return sinc * (0.54 - 0.46 * Math.cos((2 * Math.PI * k) / (taps - 1)));
  });
  const sum = raw.reduce((a, b) => a + b, 0);
  const coefficients = raw.map(value => value / sum);
  const { length } = samples;
  return Int16Array.from({ length: Math.floor(length / step) }, (_, i) => {
    let value = 0;
    // the clip is a loop: the filter goes on at its other end
    for (let k = 0; k < taps; k++) value += coefficients[k]! * samples[(i * step + k - middle + length) % length]!;
    return Math.max(-fullScale, Math.min(fullScale, Math.round(value)));
  });
}
