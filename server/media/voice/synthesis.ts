/**
 * Synthesises a voice: pulses and noise through the formants of changing vowels (a source and a filter, as in Klatt,
 * "Software for a cascade/parallel formant synthesizer", JASA 67(3), 1980, reduced to three formants in parallel).
 *
 * It speaks no language, and it never pauses: every block of it has energy, so a place without sound in what a listener
 * heard is a gap. The periods of the pulses are irregular, so that a receiver which repeats the last period to conceal a
 * loss does not produce what comes next. The same seed gives the same samples.
 */
import type { Random } from '../../../core/random.ts';
import { voiceRateHz } from '../../../core/vocabulary/voice.ts';

/** First three formants of vowels, Hz (Peterson and Barney, JASA 24(2), 1952, table II, men, rounded). */
const vowels = [
  [270, 2290, 3010],
  [390, 1990, 2550],
  [530, 1840, 2480],
  [660, 1720, 2410],
  [730, 1090, 2440],
  [570, 840, 2410],
  [440, 1020, 2240],
  [300, 870, 2240],
] as const;
const bandwidthsHz = [90, 110, 170] as const;
const formantGains = [1, 0.6, 0.35] as const;
/** Length of a syllable, ms: least and range. Speech has four to six syllables per second. */
const [leastSyllableMs, syllableRangeMs] = [140, 120];
/** Part of a syllable that a consonant takes: noise instead of pulses. */
const consonantShare = 0.25;
/** Pitch, Hz: least and range over the syllables. */
const [leastPitchHz, pitchRangeHz] = [90, 80];
/** Largest change of a period against the pitch. */
const jitterRatio = 0.25;
/** Number of samples for which the filters keep their coefficients. */
const stepSamples = 48;
/** Mean level of the voice: root mean square, where full scale is 1. -20 dB is usual for speech. */
const levelRms = 0.1;
/** Largest sample of the voice. */
const peak = 0.7;

type Syllable = { from: number; length: number; vowel: readonly number[]; pitchHz: number; loudness: number };

/** A resonator with two poles. */
class Resonator {
  #a = 0;
  #b = 0;
  #c = 0;
  #last = 0;
  #beforeLast = 0;

  tune(frequencyHz: number, bandwidthHz: number): void {
    this.#c = -Math.exp((-2 * Math.PI * bandwidthHz) / voiceRateHz);
    this.#b =
      2 * Math.exp((-Math.PI * bandwidthHz) / voiceRateHz) * Math.cos((2 * Math.PI * frequencyHz) / voiceRateHz);
    this.#a = 1 - this.#b - this.#c;
  }

  next(input: number): number {
    const output = this.#a * input + this.#b * this.#last + this.#c * this.#beforeLast;
    this.#beforeLast = this.#last;
    this.#last = output;
    return output;
  }
}

function syllables(length: number, random: Random): Syllable[] {
  const spoken: Syllable[] = [];
  for (let from = 0; from < length; from += spoken.at(-1)!.length) {
    const ms = leastSyllableMs + syllableRangeMs * random.next();
    spoken.push({
      from,
      length: Math.round((ms * voiceRateHz) / 1000),
      vowel: vowels[Math.floor(random.next() * vowels.length)]!,
      pitchHz: leastPitchHz + pitchRangeHz * random.next(),
      loudness: 0.6 + 0.4 * random.next(),
    });
  }
  return spoken;
}

/** Returns `length` samples of the voice at 48 kHz; full scale is 1. */
export function synthesiseVoice(length: number, random: Random): Float32Array {
  const resonators = formantGains.map(() => new Resonator());
  const spoken = syllables(length, random);
  const samples = new Float32Array(length);
  let [place, untilPulse] = [0, 0];
  for (let i = 0; i < length; i++) {
    while (i >= spoken[place]!.from + spoken[place]!.length) place++;
    const syllable = spoken[place]!;
    const progress = (i - syllable.from) / syllable.length;
    if (i % stepSamples === 0) {
      const next = spoken[place + 1] ?? syllable;
      for (const [k, resonator] of resonators.entries())
        resonator.tune(syllable.vowel[k]! + (next.vowel[k]! - syllable.vowel[k]!) * progress, bandwidthsHz[k]!);
    }
    const noise = 2 * random.next() - 1;
    let source = noise * (progress < consonantShare ? 0.5 : 0.15);
    if (--untilPulse <= 0) {
      untilPulse = Math.round((voiceRateHz / syllable.pitchHz) * (1 + jitterRatio * (2 * random.next() - 1)));
      if (progress >= consonantShare) source += 6;
    }
    source *= syllable.loudness * (0.6 + 0.4 * Math.sin(Math.PI * progress));
    let sum = 0;
    for (const [k, resonator] of resonators.entries()) sum += formantGains[k]! * resonator.next(source);
    samples[i] = sum;
  }
  return levelled(samples);
}

/** Brings the samples to the mean level and limits their peaks, in place. */
function levelled(samples: Float32Array): Float32Array {
  const energy = samples.reduce((sum, sample) => sum + sample * sample, 0);
  const gain = levelRms / Math.sqrt(energy / samples.length);
  for (let i = 0; i < samples.length; i++) samples[i] = peak * Math.tanh((samples[i]! * gain) / peak);
  return samples;
}
