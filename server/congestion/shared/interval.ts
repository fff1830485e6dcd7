/** Tells when a fixed interval has passed, for periodic work in calls that come at irregular times. */

export class Interval {
  readonly #lengthMs: number;
  #startedMs: number | undefined;

  constructor(lengthMs: number) {
    this.#lengthMs = lengthMs;
  }

  /** The time since it was last over, where that is the interval or more; else undefined. The first call starts it. */
  over(nowMs: number): number | undefined {
    this.#startedMs ??= nowMs;
    const elapsedMs = nowMs - this.#startedMs;
    if (elapsedMs < this.#lengthMs) return undefined;
    this.#startedMs = nowMs;
    return elapsedMs;
  }
}
