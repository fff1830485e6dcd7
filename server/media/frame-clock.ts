/**
 * Capture times of frames: a fixed rate from a start. A late sender does not send faster to catch up; it skips frames
 * to keep the schedule, as a camera or a game does. Skipped frames are counted.
 */

type Tick = {
  /** Number of the frame period since the start. */
  number: number;
  dueMs: number;
  /** Time since the frame was first due, skipped periods included, ms. */
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

  /** Due time of the next frame. */
  get dueMs(): number {
    return this.#startMs + this.#next * this.periodMs;
  }

  /** Takes the due frame. `nowMs` must not be before `dueMs`. */
  take(nowMs: number): Tick {
    const latenessMs = nowMs - this.dueMs;
    const skipped = Math.max(0, Math.floor(latenessMs / this.periodMs));
    this.#next += skipped;
    const tick = { number: this.#next, dueMs: this.dueMs, latenessMs, skipped };
    this.#next++;
    return tick;
  }
}
