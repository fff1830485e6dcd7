/** A fixed interval for periodic work that is done within calls at irregular times. */

export class Interval {
  readonly #lengthMs: number;
  #startedMs: number | undefined;

  constructor(lengthMs: number) {
    this.#lengthMs = lengthMs;
  }

  /**
   * Returns the ms since the last expiry if the interval has passed since then, else undefined. The first call starts
   * the interval.
   */
  over(nowMs: number): number | undefined {
    this.#startedMs ??= nowMs;
    const elapsedMs = nowMs - this.#startedMs;
    if (elapsedMs < this.#lengthMs) return undefined;
    this.#startedMs = nowMs;
    return elapsedMs;
  }
}
