/**
 * Live values of the viewer: frame rate, time since the last frame, stalls until now. The definitions are those of the
 * metrics (unseen.ts, stalls.ts, core/vocabulary/stalls.ts), applied to each frame as it arrives.
 */
import type { GapLimits } from '../../../core/vocabulary/measure.ts';
import type { PresentedFrameRecord } from '../../record/series/frames.presented.ts';
import { shownBetween } from './unseen.ts';

type Stalls = {
  count: number;
  totalMs: number;
};

export type FrameReading = {
  /** Mean frame rate of the last second. */
  framesPerSecond: number;
  /** Time since the last frame, ms; null before the first frame. */
  sinceLastMs: number | null;
  /** Longest time between two frames since the last reading, ms. The time since the last frame counts, too. */
  longestGapMs: number;
  /** Stalls since the meter was made or reset, including a stall in progress. */
  stalls: Stalls;
};

type Frame = Pick<PresentedFrameRecord, 'presentationMs' | 'presentedFrames'>;

/** Time over which the frame rate is computed, ms. */
const windowMs = 1000;

type Limits = Pick<GapLimits, 'stallMs' | 'smoothGapMs'>;

export class FrameMeter {
  readonly #limits: Limits;
  /** Frames of the last second, and the one frame before them. */
  #frames: Frame[] = [];
  #longestGapMs = 0;
  #stalls: Stalls = { count: 0, totalMs: 0 };

  constructor(limits: Limits) {
    this.#limits = limits;
  }

  /**
   * Adds a presented frame. `heldUpMs`: longest time that the page was held up since the previous frame; undefined if
   * unknown.
   */
  add({ presentationMs, presentedFrames }: Frame, heldUpMs?: number): void {
    const last = this.#frames.at(-1);
    if (last !== undefined) {
      if (presentationMs <= last.presentationMs) return;
      const shown = Math.max(1, presentedFrames - last.presentedFrames);
      const { timesMs } = shownBetween({ fromMs: last.presentationMs, toMs: presentationMs, shown }, heldUpMs);
      for (const [i, timeMs] of timesMs.entries()) this.#pass(timeMs - (timesMs[i - 1] ?? last.presentationMs));
    }
    this.#frames.push({ presentationMs, presentedFrames });
    while (this.#frames.length > 2 && this.#frames[1]!.presentationMs <= presentationMs - windowMs)
      this.#frames.shift();
  }

  /** Resets stalls and gaps. */
  reset(): void {
    this.#longestGapMs = 0;
    this.#stalls = { count: 0, totalMs: 0 };
  }

  read(timeMs: number): FrameReading {
    const last = this.#frames.at(-1);
    if (last === undefined) return { framesPerSecond: 0, sinceLastMs: null, longestGapMs: 0, stalls: this.#stalls };
    const sinceLastMs = Math.max(0, timeMs - last.presentationMs);
    const stalled = sinceLastMs > this.#limits.stallMs;
    const reading = {
      // the time since the last frame lowers the rate only once the next frame is late
      framesPerSecond: this.#framesPerSecond(sinceLastMs > this.#limits.smoothGapMs ? timeMs : last.presentationMs),
      sinceLastMs,
      longestGapMs: Math.max(this.#longestGapMs, sinceLastMs),
      stalls: stalled ? { count: this.#stalls.count + 1, totalMs: this.#stalls.totalMs + sinceLastMs } : this.#stalls,
    };
    this.#longestGapMs = 0;
    return reading;
  }

  #pass(gapMs: number): void {
    this.#longestGapMs = Math.max(this.#longestGapMs, gapMs);
    if (gapMs > this.#limits.stallMs)
      this.#stalls = { count: this.#stalls.count + 1, totalMs: this.#stalls.totalMs + gapMs };
  }

  #framesPerSecond(endMs: number): number {
    const first = this.#frames.findLast(frame => frame.presentationMs <= endMs - windowMs) ?? this.#frames[0]!;
    const last = this.#frames.at(-1)!;
    return endMs <= first.presentationMs
      ? 0
      : ((last.presentedFrames - first.presentedFrames) * 1000) / (endMs - first.presentationMs);
  }
}
