/** The shortest round trip that feedback told of lately: for the record of controllers that keep none of their own. As long as BBR takes one for the path's. */
const windowMs = 10_000;

export class ShortestRoundTrip {
  /** Each the shortest since it came, so they grow. */
  #candidates: { timeMs: number; rttMs: number }[] = [];

  add(timeMs: number, rttMs: number): void {
    this.#candidates = [...this.#candidates.filter(candidate => candidate.rttMs < rttMs), { timeMs, rttMs }];
  }

  /** Undefined where nothing was told for so long. */
  ms(nowMs: number): number | undefined {
    this.#candidates = this.#candidates.filter(({ timeMs }) => nowMs - timeMs < windowMs);
    return this.#candidates[0]?.rttMs;
  }
}
