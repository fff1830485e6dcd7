/** Smoothed round trip of RFC 6298, section 2 (SRTT): each new sample has a weight of 1/8. */

/** Weight of a new sample (alpha). */
const weight = 1 / 8;
/** Lower limit for a sample, ms: a rate computed over a round trip stays finite. */
const leastMs = 1;

export class SmoothedRtt {
  #ms: number | undefined;

  /** undefined before the first sample. */
  get ms(): number | undefined {
    return this.#ms;
  }

  update(sampleMs: number): void {
    const rttMs = Math.max(sampleMs, leastMs);
    this.#ms = this.#ms === undefined ? rttMs : (1 - weight) * this.#ms + weight * rttMs;
  }
}
