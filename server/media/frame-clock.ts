/**
 * Capture times of frames, at a fixed rate from a start time. A late sender does not send faster to catch up, but skips
 * frames to keep the schedule, as a camera or a game does. Skipped frames are counted.
 */

type Tick = {
  /** Number of the frame's period, counted from the start. */
  number: number;
  dueMs: number;
  /**
   * Time since the due time of the first skipped period, ms; without skipped periods, since the due time of this frame.
   */
  latenessMs: number;
  /** Number of frame periods skipped just before this frame. */
  skipped: number;
};

export class FrameClock {
  readonly periodMs: number;
  readonly #startMs: number;
  #next = 0;

  constructor(startMs: number, frameRate: number) {
    this.#startMs = startMs;
    this.periodMs = 1000 / frameRate;
  }

  /** Time at which the next frame is due, ms. */
  get dueMs(): number {
    return this.#startMs + this.#next * this.periodMs;
  }

  /** Takes the frame that is due. `nowMs` must not be before `dueMs`. */
  take(nowMs: number): Tick {
    const latenessMs = nowMs - this.dueMs;
    const skipped = Math.max(0, Math.floor(latenessMs / this.periodMs));
    this.#next += skipped;
    const tick = { number: this.#next, dueMs: this.dueMs, latenessMs, skipped };
    this.#next++;
    return tick;
  }
}
