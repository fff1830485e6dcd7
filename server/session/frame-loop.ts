/**
 * The frame loop: takes one frame per period, encodes it at the current rate and passes the encoded frame on. A period
 * is skipped if the media are paused, the loop is late, the pacer is full, the ladder's frame rate leaves the period
 * out, or the congestion controller wants fewer frames.
 */
import { nowMs } from '../../core/system/clock.ts';
import { sleep } from '../../core/system/deadline.ts';
import type { Clip } from '../media/clip.ts';
import type { EncodedFrame, FrameEncoder } from '../media/encoder.ts';
import { FrameClock } from '../media/frame-clock.ts';
import { FrameDropper } from '../media/frame-dropper.ts';
import { frameIndexAt } from '../media/frame-times.ts';
import { RateCorrection } from '../media/rate-correction.ts';
import { RatePolicy } from '../media/rate-policy.ts';

export type LoopFrame = {
  number: number;
  clipFrame: number;
  captureMs: number;
  encodedMs: number;
  encoded: EncodedFrame;
};

/**
 * Reason for a skipped frame. 'late': the loop was late. 'pacer': the pacer was full. 'ladder': the ladder's frame rate
 * leaves the frame out. 'pushback': the congestion controller wants fewer frames. 'paused': the media were paused.
 */
export type SkipReason = 'late' | 'pacer' | 'ladder' | 'pushback' | 'paused';

type FrameLoopEvents = {
  onFrame(frame: LoopFrame): void;
  onSkip(skip: { number: number; captureMs: number; reason: SkipReason; count: number }): void;
  /** True if the pacer is too full for another frame. */
  pacerIsFull(): boolean;
  /** Number of frame periods per encoded frame. */
  period(): number;
};

type FrameLoopCounters = {
  encoded: number;
  skippedLate: number;
  skippedPacer: number;
  skippedPushback: number;
  keyFrames: number;
  rateChanges: number;
  /** Largest lateness since the last call of `takePeaks`. */
  latenessMaxMs: number;
  encodeMaxMs: number;
};

/** Time by which timers may fire late, ms. Waits are shorter by this time. */
const timerSlackMs = 1;

export class FrameLoop {
  readonly counters: FrameLoopCounters = {
    encoded: 0,
    skippedLate: 0,
    skippedPacer: 0,
    skippedPushback: 0,
    keyFrames: 0,
    rateChanges: 0,
    latenessMaxMs: 0,
    encodeMaxMs: 0,
  };
  readonly #clip: Clip;
  readonly #encoder: FrameEncoder;
  readonly #frameRate: number;
  readonly #events: FrameLoopEvents;
  readonly #clipZeroMs: number | undefined;
  /**
   * Position in the clip at which the loop begins, s: a whole number of frame periods, so that parallel streams show
   * the same frames.
   */
  #clipStartS = 0;
  #targetBps: number;
  readonly #correction = new RateCorrection();
  readonly #dropper = new FrameDropper();
  #keyWanted = true;
  #isPaused = false;
  /** Periods of the present pause, which become one skip at its end. */
  #paused: { number: number; captureMs: number; count: number } | undefined;
  /** Period number of the last encoded frame. */
  #lastNumber = -Infinity;
  #stop = new AbortController();

  /**
   * Makes a frame loop. `clipZeroMs`: time at which the clip's first frame is due; if undefined, this frame is due at
   * the start of the loop.
   */
  constructor(clip: Clip, encoder: FrameEncoder, frameRate: number, events: FrameLoopEvents, clipZeroMs?: number) {
    this.#clip = clip;
    this.#encoder = encoder;
    this.#frameRate = frameRate;
    this.#events = events;
    this.#clipZeroMs = clipZeroMs;
    this.#targetBps = encoder.rateBps;
  }

  setTarget(bps: number): void {
    this.#targetBps = bps;
  }

  /** Sets the share of the frames to skip, 0 to 1. */
  setDropRatio(ratio: number): void {
    this.#dropper.setRatio(ratio);
  }

  /** Makes the next frame a key frame. */
  requestKeyFrame(): void {
    this.#keyWanted = true;
  }

  /**
   * Stops taking frames, or goes on with a key frame, as an encoder does that libwebrtc starts again (2026-08
   * video/video_stream_encoder.cc).
   */
  setPaused(isPaused: boolean): void {
    this.#isPaused = isPaused;
    if (!isPaused) this.requestKeyFrame();
  }

  takePeaks(): { latenessMaxMs: number; encodeMaxMs: number } {
    const { latenessMaxMs, encodeMaxMs } = this.counters;
    this.counters.latenessMaxMs = 0;
    this.counters.encodeMaxMs = 0;
    return { latenessMaxMs, encodeMaxMs };
  }

  stop(): void {
    this.#stop.abort(new Error('the frame loop was stopped'));
  }

  /** Runs until `stop` is called. Rejects only if encoding fails. */
  async run(): Promise<void> {
    const startMs = nowMs();
    if (this.#clipZeroMs !== undefined)
      this.#clipStartS =
        Math.max(0, Math.round(((startMs - this.#clipZeroMs) * this.#frameRate) / 1000)) / this.#frameRate;
    const clock = new FrameClock(startMs, this.#frameRate);
    const policy = new RatePolicy(this.#encoder.kind.rateChangeMakesKeyFrame, this.#encoder.rateBps, startMs);
    const { signal } = this.#stop;
    while (!signal.aborted) {
      const waitMs = clock.dueMs - nowMs();
      if (waitMs > timerSlackMs) {
        await sleep(waitMs - timerSlackMs, signal).catch(() => {});
        continue;
      }
      const tick = clock.take(nowMs());
      if (this.#isPaused) {
        const captureMs = tick.dueMs - tick.skipped * clock.periodMs;
        this.#paused ??= { number: tick.number - tick.skipped, captureMs, count: 0 };
        this.#paused.count += 1 + tick.skipped;
        continue;
      }
      this.#endPause();
      this.counters.latenessMaxMs = Math.max(this.counters.latenessMaxMs, tick.latenessMs);
      if (tick.skipped > 0) {
        this.counters.skippedLate += tick.skipped;
        this.#events.onSkip({
          number: tick.number - tick.skipped,
          captureMs: tick.dueMs - tick.skipped * clock.periodMs,
          reason: 'late',
          count: tick.skipped,
        });
      }
      if (tick.number - this.#lastNumber < this.#events.period()) {
        this.#events.onSkip({ number: tick.number, captureMs: tick.dueMs, reason: 'ladder', count: 1 });
        continue;
      }
      if (this.#dropper.drops()) {
        this.counters.skippedPushback++;
        this.#events.onSkip({ number: tick.number, captureMs: tick.dueMs, reason: 'pushback', count: 1 });
        continue;
      }
      if (this.#events.pacerIsFull()) {
        this.counters.skippedPacer++;
        this.#events.onSkip({ number: tick.number, captureMs: tick.dueMs, reason: 'pacer', count: 1 });
        continue;
      }
      this.#lastNumber = tick.number;
      await this.#encode(tick.number, policy);
    }
    this.#endPause();
  }

  #endPause(): void {
    if (this.#paused === undefined) return;
    this.#events.onSkip({ ...this.#paused, reason: 'paused' });
    this.#paused = undefined;
  }

  async #encode(number: number, policy: RatePolicy): Promise<void> {
    const captureMs = nowMs();
    const key = this.#keyWanted;
    this.#keyWanted = false;
    const targetBps = this.#targetBps;
    const rateBps = policy.next(targetBps * this.#correction.ratio, key, captureMs);
    if (rateBps !== undefined) {
      this.#encoder.setRate(rateBps);
      this.counters.rateChanges++;
    }
    const { times, frames } = this.#clip;
    const clipFrame = frameIndexAt(times, this.#clipStartS + number / this.#frameRate, 1 / this.#frameRate);
    const encoded = await this.#encoder.encode(frames[clipFrame]!, key);
    const encodedMs = nowMs();
    this.counters.encodeMaxMs = Math.max(this.counters.encodeMaxMs, encodedMs - captureMs);
    if (encoded === undefined || this.#stop.signal.aborted) return;
    const periodS = this.#events.period() / this.#frameRate;
    if (!this.#encoder.kind.rateChangeMakesKeyFrame)
      this.#correction.add(encoded.data.length * 8, targetBps * periodS, periodS); // a new rate makes no key frame
    this.counters.encoded++;
    if (encoded.key) this.counters.keyFrames++;
    this.#events.onFrame({ number, clipFrame, captureMs, encodedMs, encoded });
  }
}
