/** Says when a fixed time is over, for work at a steady pace inside calls that come when they like. */

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
