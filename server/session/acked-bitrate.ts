/** Rate of the bytes that feedback acknowledges. The rate is recorded for controllers that do not trace such a rate. */
const windowMs = 1000;

export class AckedBitrate {
  #told: { timeMs: number; bytes: number }[] = [];
  #isTold = false;

  /**
   * Adds the feedback of time `timeMs`. `bytes`: size of all packets that this feedback is the first to report as
   * received.
   */
  add(timeMs: number, bytes: number): void {
    this.#isTold = true;
    this.#told.push({ timeMs, bytes });
  }

  /** Returns the rate of acknowledged bytes over the last second, bit/s; undefined before the first feedback. */
  bps(nowMs: number): number | undefined {
    if (!this.#isTold) return undefined;
    this.#told = this.#told.filter(({ timeMs }) => nowMs - timeMs < windowMs);
    return (this.#told.reduce((sum, { bytes }) => sum + bytes, 0) * 8000) / windowMs;
  }
}
