/**
 * Finds the gaps in a voice: times at which the listener did not hear what was spoken, but silence, or what the browser
 * makes up for a loss.
 *
 * What was heard is compared in blocks of 20 ms with the clip at the present delay. The jitter buffer stretches and
 * shortens the voice, which moves the delay a little; after a gap it may be another one, which is searched with longer
 * blocks. A block without agreement belongs to a gap.
 */
import { recordedRateHz } from '../../../../core/vocabulary/voice.ts';
import { bestShift, halved, looped } from './correlation.ts';
import { type Heard, HeardClock, type Spoken } from './signals.ts';

const perMs = recordedRateHz / 1000;
/** Length and distance of the blocks, ms. */
const [blockMs, hopMs] = [20, 10];
/** Least correlation of a block with what was spoken. Opus at 12 kbit/s has more than 0.8 on most blocks. */
const leastCorrelation = 0.6;
/** Change of the delay that is searched around each block, ms: the jitter buffer moves it by a period of the pitch. */
const nearMs = 8;
/** Length of the blocks that search another delay, ms, and their least correlation. */
const [longBlockMs, leastLongCorrelation] = [60, 0.7];
/**
 * Range in which a new delay is searched after a gap, ms: it may be shorter than the delay before the gap by
 * `shorterMs`, and longer by the length of the gap plus `longerMs`.
 */
const [shorterMs, longerMs] = [400, 120];
/** Longest agreement by chance within a gap, blocks. */
const chanceBlocks = 2;
/** Longest run of blocks without agreement that is the seam of a stretched or shortened voice and no gap. */
const seamBlocks = 2;
/**
 * Correlation at an unchanged delay (within 1 ms) that separates voice from gap around the borders of a gap. At its
 * begin the browser goes on with the last periods, which agree at a delay that moves. At its end the first frames after
 * a loss are decoded from a state that differs from the encoder's, so they agree less than others.
 */
const [borderCorrelation, borderNearMs] = [0.5, 1];
/** How far before the first block without agreement, and before the first with it, the border may be, ms. */
const [earlierBeginMs, earlierEndMs] = [50, 80];
/** Number of blocks before a gap whose delay is the one that its begin is compared at. */
const settledBlocks = earlierBeginMs / hopMs + 1;
/** Level of the clip, against its mean, below which a block is silent and says nothing (-40 dB). */
const quietRatio = 0.01;

/**
 * A time at which the listener did not hear what was spoken, Unix ms. `delayMs`: delay from mouth to ear before the gap,
 * ms.
 */
export type VoiceGap = { startMs: number; endMs: number; delayMs: number };

/** `delayMs`: delay from mouth to ear at the begin of what is heard, such as that of the first chirp. */
export function voiceGaps(
  spoken: Spoken,
  heard: Heard,
  window: { startMs: number; endMs: number },
  delayMs: number,
): VoiceGap[] {
  const matcher = new Matcher(spoken, heard, delayMs);
  const clock = new HeardClock(heard);
  const [block, hop] = [blockMs * perMs, hopMs * perMs];
  const last = Math.min(heard.samples.length - longBlockMs * perMs, clock.sample(window.endMs));
  const times: number[] = [];
  const isHeard: boolean[] = [];
  const delays: number[] = [];
  for (let from = Math.max(0, clock.sample(window.startMs)); from < last; from += hop) {
    const before = isHeard.at(-1) ?? true;
    const matches = matcher.matches(from, before);
    if (matches !== before) {
      const count = matches ? matcher.agreeingBefore(from) : matcher.differingBefore(from, delays.at(-settledBlocks));
      isHeard.fill(matches, Math.max(0, isHeard.length - count));
    }
    isHeard.push(matches);
    delays.push(matcher.delay);
    times.push(clock.timeMs(from + block / 2));
  }
  bridge(isHeard);
  return runs(isHeard)
    .filter(([from, to]) => to - from >= seamBlocks)
    .map(([from, to]) => ({
      // the border between a block that agrees and one that does not is in the middle of both
      startMs: Math.max(window.startMs, times[from]! - hopMs / 2),
      endMs: Math.min(window.endMs, times[to]! + hopMs / 2),
      delayMs: from === 0 ? delayMs : delays[from - 1]! / perMs,
    }));
}

class Matcher {
  readonly #heard: Float32Array;
  readonly #spoken: Float32Array;
  /**
   * Heard samples at half the rate, from the first and from the second one on: where the voice has high frequencies,
   * a delay of an odd number of samples agrees with one of the two only.
   */
  readonly #halfHeard: readonly Float32Array[];
  readonly #halfSpoken: Float32Array;
  readonly #clock: HeardClock;
  readonly #startMs: number;
  readonly #quietEnergy: number;
  /** Present delay, samples. */
  delay: number;
  /** Length of the present gap, samples; 0 outside of gaps. */
  #gap = 0;

  constructor(spoken: Spoken, heard: Heard, delayMs: number) {
    this.#heard = heard.samples;
    this.#spoken = spoken.samples;
    this.#halfHeard = [halved(heard.samples), halved(heard.samples.subarray(1))];
    this.#halfSpoken = halved(spoken.samples);
    this.#clock = new HeardClock(heard);
    this.#startMs = spoken.startMs;
    const meanEnergy = spoken.samples.reduce((sum, sample) => sum + sample * sample, 0) / spoken.samples.length;
    this.#quietEnergy = meanEnergy * quietRatio ** 2 * blockMs * perMs;
    this.delay = Math.round(delayMs * perMs);
  }

  /**
   * True if the block from `from` on is what was spoken. `before`: answer for the block before, which also holds in
   * silence.
   */
  matches(from: number, before: boolean): boolean {
    const place = this.#place(from);
    if (this.#isQuiet(place - this.delay)) return before;
    const found = this.#near(from, place, this.delay) ?? this.#another(from, place);
    if (found === undefined) {
      this.#gap += hopMs * perMs;
      return false;
    }
    this.delay = found;
    this.#gap = 0;
    return true;
  }

  /** Number of blocks directly before the one at `from`, the first after a gap, that agree with the voice, too. */
  agreeingBefore(from: number): number {
    return this.#blocksBefore(from, earlierEndMs, at => this.#atBorder(at, this.delay) - borderCorrelation);
  }

  /**
   * Number of blocks directly before the one at `from`, the first of a gap, that belong to the gap, too. `delay`: delay
   * before the gap, samples; undefined if it is not known.
   */
  differingBefore(from: number, delay: number | undefined): number {
    if (delay === undefined) return 0;
    return this.#blocksBefore(from, earlierBeginMs, at => borderCorrelation - this.#atBorder(at, delay));
  }

  #atBorder(from: number, delay: number): number {
    return this.#agreement(from, this.#place(from), delay, borderNearMs).correlation;
  }

  /** Returns the number of blocks before the one at `from` whose weights have the highest sum. */
  #blocksBefore(from: number, mostMs: number, weight: (from: number) => number): number {
    let [sum, highest, count] = [0, 0, 0];
    for (let k = 1; k <= mostMs / hopMs && from >= k * hopMs * perMs; k++) {
      sum += weight(from - k * hopMs * perMs);
      if (sum <= highest) continue;
      highest = sum;
      count = k;
    }
    return count;
  }

  /** Returns the sample of the clip that was spoken at the moment in which sample `from` was heard. */
  #place(from: number): number {
    return Math.round((this.#clock.timeMs(from) - this.#startMs) * perMs);
  }

  #isQuiet(place: number): boolean {
    const block = looped(this.#spoken, place, blockMs * perMs);
    return block.reduce((sum, sample) => sum + sample * sample, 0) < this.#quietEnergy;
  }

  #agreement(from: number, place: number, delay: number, rangeMs: number) {
    const range = [delay - rangeMs * perMs, delay + rangeMs * perMs] as const;
    return bestShift(this.#heard, from, blockMs * perMs, this.#spoken, place, range);
  }

  #near(from: number, place: number, delay: number): number | undefined {
    const { correlation, shift } = this.#agreement(from, place, delay, nearMs);
    return correlation < leastCorrelation ? undefined : shift;
  }

  /** Searches another delay, at half the rate, which is exact enough to go on from. */
  #another(from: number, place: number): number | undefined {
    const least = Math.max(0, this.delay - shorterMs * perMs);
    const most = this.delay + this.#gap + longerMs * perMs;
    const range = [least >> 1, most >> 1] as const;
    const length = (longBlockMs * perMs) >> 1;
    for (const [phase, heard] of this.#halfHeard.entries()) {
      const { correlation, shift } = bestShift(heard, from >> 1, length, this.#halfSpoken, place >> 1, range);
      if (correlation >= leastLongCorrelation)
        return this.#near(from, place, 2 * shift + phase + (place & 1) - (from & 1));
    }
    return undefined;
  }
}

/** Returns the first and the last index of each run of false values. */
function runs(values: readonly boolean[]): [from: number, to: number][] {
  const found: [number, number][] = [];
  for (const [i, value] of values.entries()) {
    if (value) continue;
    const run = found.at(-1);
    if (run !== undefined && run[1] === i - 1) run[1] = i;
    else found.push([i, i]);
  }
  return found;
}

/** Removes agreements by chance between two gaps, in place. */
function bridge(values: boolean[]): void {
  const gaps = runs(values);
  for (const [k, [from]] of gaps.entries()) {
    const before = gaps[k - 1]?.[1];
    if (before !== undefined && from - before - 1 <= chanceBlocks) values.fill(false, before + 1, from);
  }
}
