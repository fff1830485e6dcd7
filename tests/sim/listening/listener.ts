/**
 * The listener of a call: a jitter buffer that plays the frames, waits for one that is late, passes over one that is
 * lost when its time is over, and plays faster while it holds more than it wants to.
 */

import { clip, perMs } from '../../unit/harness/analysis/derive/voice/spoken.ts';
import { startMs } from '../../unit/harness/support/record.ts';
import { isIn } from '../viewing/bottleneck.ts';
import { type Call, leadMs } from './call.ts';

/** Length that is played at once, ms. */
const stepMs = 10;
/**
 * Playing faster leaves out one period of the voice at a time (as NetEq does): how often, ms, range of the periods, ms,
 * length that is compared, ms, and least correlation of the voice with itself one period later.
 */
const [skipEveryMs, leastPeriodMs, mostPeriodMs, comparedMs, leastLikeness] = [100, 2.5, 12, 15, 0.7];
/** Time from the arrival of a packet until its frame can be played, ms. */
const decodingMs = 1;
/** Pitch period that fills what is missing, and the time in which it fades, ms. */
const [periodMs, fadingMs] = [7, 60];

/**
 * One step of playing. `voiceMs`: place in the voice, ms since its begin; null where nothing of it is played. `missing`:
 * number of the frame that was due then.
 */
type Step = { voiceMs: number | null; missing: number | null };

export class Listener {
  /** Steps from the begin of the voice on. */
  readonly steps: Step[] = [];
  readonly #call: Call;
  /** When each frame can be played: by itself, or by a copy. */
  readonly #readyMs: number[];

  constructor(call: Call) {
    this.#call = call;
    const { red, fec, faults } = call.options;
    const kept = call.frames.map(({ arrivedMs }) =>
      arrivedMs === null || faults.some(({ stops, span }) => stops === 'buffer' && isIn(span, arrivedMs))
        ? Infinity
        : arrivedMs + decodingMs,
    );
    const copies = Math.max(red, fec ? 1 : 0);
    this.#readyMs = kept.map((_, k) => Math.min(...kept.slice(k, k + 1 + copies)));
    this.#play();
  }

  /** Place in the voice that is heard at a ms since its begin; null where nothing of it is. */
  heardAt(ms: number): number | null {
    const voiceMs = this.steps[Math.floor(ms / stepMs)]?.voiceMs ?? null;
    return voiceMs === null ? null : voiceMs + (ms % stepMs);
  }

  /** Numbers of the frames that were due and were not heard between two moments, in order. */
  missingBetween(fromMs: number, toMs: number): number[] {
    const first = Math.floor((fromMs - startMs + leadMs) / stepMs);
    const own = this.steps.slice(first, Math.ceil((toMs - startMs + leadMs) / stepMs));
    return [...new Set(own.flatMap(({ missing }) => missing ?? []))];
  }

  /** Sample that fills what is missing: the last period before it, which fades. `at`: sample since `originMs`. */
  fillerFrom(originMs: number): (at: number) => number {
    let [step, lastMs, sinceMs] = [-1, 0, 0];
    return at => {
      const ms = originMs + at / perMs;
      const own = Math.floor(ms / stepMs);
      if (own !== step) {
        let before = own;
        while (before > 0 && this.steps[before]!.voiceMs === null) before--;
        [step, lastMs, sinceMs] = [own, (this.steps[before]!.voiceMs ?? 0) + stepMs, (before + 1) * stepMs];
      }
      const level = Math.max(0, 1 - (ms - sinceMs) / fadingMs);
      const place = Math.floor((lastMs - periodMs + ((ms - sinceMs) % periodMs)) * perMs);
      return level * clip[((place % clip.length) + clip.length) % clip.length]!;
    };
  }

  #play(): void {
    const { frameMs, lengthMs, targetMs, faults } = this.#call.options;
    const ready = this.#readyMs;
    const total = lengthMs + leadMs;
    let [voiceMs, concealedMs, skippedAtMs] = [0, 0, 0];
    let wanted = Infinity;
    for (let ms = 0; ms < total; ms += stepMs) {
      const nowMs = startMs - leadMs + ms;
      if (wanted === Infinity && ready[0]! <= nowMs) wanted = ms + targetMs;
      const isStopped = faults.some(
        ({ stops, span }) => (stops === 'playout' || stops === 'receiver') && isIn(span, nowMs),
      );
      const own = Math.floor(voiceMs / frameMs);
      const last = Math.ceil((voiceMs + stepMs) / frameMs) - 1;
      const isReady = (k: number) => (ready[k] ?? Infinity) <= nowMs;
      if (!isStopped && ms >= wanted) {
        let next: number | undefined = isReady(own) && isReady(last) ? own : undefined;
        // a later frame is played when its own time has come
        for (let k = own + 1; next === undefined && k * frameMs <= voiceMs + concealedMs; k++) if (isReady(k)) next = k;
        if (next !== undefined) {
          voiceMs = Math.max(voiceMs, next * frameMs);
          concealedMs = 0;
          this.steps.push({ voiceMs, missing: null });
          voiceMs += stepMs;
          const periodMs = ms - voiceMs > wanted && ms - skippedAtMs >= skipEveryMs ? periodAt(voiceMs) : 0;
          if (periodMs === 0) continue;
          voiceMs += periodMs;
          skippedAtMs = ms;
          continue;
        }
      }
      this.steps.push({ voiceMs: null, missing: ms < wanted ? null : own + Math.floor(concealedMs / frameMs) });
      if (ms >= wanted) concealedMs += stepMs;
    }
  }
}

/** The clip and its begin once more, so that a piece over its end is in one. */
const twice = Int16Array.from([...clip, ...clip.subarray(0, (mostPeriodMs + comparedMs) * perMs)]);

/** Returns the period of the voice from a place on, ms; 0 if it has none that is left out unnoticed. */
function periodAt(voiceMs: number): number {
  const length = comparedMs * perMs;
  const piece = twice.subarray(Math.round(voiceMs * perMs) % clip.length);
  let [best, period] = [leastLikeness, 0];
  for (let lag = leastPeriodMs * perMs; lag <= mostPeriodMs * perMs; lag++) {
    let [product, own, later] = [0, 1, 1];
    for (let at = 0; at < length; at++) {
      product += piece[at]! * piece[at + lag]!;
      own += piece[at]! ** 2;
      later += piece[at + lag]! ** 2;
    }
    const likeness = product / Math.sqrt(own * later);
    if (likeness > best) [best, period] = [likeness, lag];
  }
  return period / perMs;
}
