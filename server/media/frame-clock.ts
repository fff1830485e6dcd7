/**
 * When frames are captured: at a fixed rate from a start. A late sender does not send frames faster to catch up; it
 * skips frames to keep the schedule, as a camera or a game would. Skipped frames are counted.
 */

type Tick = {
  /** Number of the frame period since the start. */
  number: number;
  dueMs: number;
  /** How late the taking is after the first moment it was due, skipped periods included, ms. */
  latenessMs: number;
  /** Frame periods that passed without a frame just before this one. */
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

  /** When the next frame is due. */
  get dueMs(): number {
    return this.#startMs + this.#next * this.periodMs;
  }

  /** Takes the frame that is due at `nowMs` (which must not be before `dueMs`). */
  take(nowMs: number): Tick {
    const latenessMs = nowMs - this.dueMs;
    const skipped = Math.max(0, Math.floor(latenessMs / this.periodMs));
    this.#next += skipped;
    const tick = { number: this.#next, dueMs: this.dueMs, latenessMs, skipped };
    this.#next++;
    return tick;
  }
}
