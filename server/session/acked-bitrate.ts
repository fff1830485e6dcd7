/**
 * What got through lately, by what feedback told: for the record of controllers that keep no such rate of their own.
 */
const windowMs = 1000;

export class AckedBitrate {
  #told: { timeMs: number; bytes: number }[] = [];
  #isTold = false;

  /** `bytes`: of packets of which this feedback is the first to say that they arrived. */
  add(timeMs: number, bytes: number): void {
    this.#isTold = true;
    this.#told.push({ timeMs, bytes });
  }

  /** Over the feedback of the last second, bit/s; undefined while there was none. */
  bps(nowMs: number): number | undefined {
    if (!this.#isTold) return undefined;
    this.#told = this.#told.filter(({ timeMs }) => nowMs - timeMs < windowMs);
    return (this.#told.reduce((sum, { bytes }) => sum + bytes, 0) * 8000) / windowMs;
  }
}
