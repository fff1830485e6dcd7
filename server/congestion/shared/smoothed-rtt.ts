/** Smoothed round trip (SRTT of RFC 6298, section 2): each new sample has a weight of 1/8. */

/** Weight of a new sample in the smoothed round trip (alpha). */
const weight = 1 / 8;
/** Lower limit of a sample, ms, so that a rate divided by the round trip stays finite. */
const leastMs = 1;

export class SmoothedRtt {
  #ms: number | undefined;

  /** Smoothed round trip; undefined before the first sample. */
  get ms(): number | undefined {
    return this.#ms;
  }

  update(sampleMs: number): void {
    const rttMs = Math.max(sampleMs, leastMs);
    this.#ms = this.#ms === undefined ? rttMs : (1 - weight) * this.#ms + weight * rttMs;
  }
}
