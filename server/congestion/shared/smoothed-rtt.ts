/** The smoothed round trip of RFC 6298, section 2 (SRTT): an eighth of every new sample. */

/** Weight of a new sample (alpha). */
const weight = 1 / 8;
/** No sample counts for less, so that a rate over a round trip stays finite, ms. */
const leastMs = 1;

export class SmoothedRtt {
  #ms: number | undefined;

  /** ms; undefined before the first sample. */
  get ms(): number | undefined {
    return this.#ms;
  }

  update(sampleMs: number): void {
    const rttMs = Math.max(sampleMs, leastMs);
    this.#ms = this.#ms === undefined ? rttMs : (1 - weight) * this.#ms + weight * rttMs;
  }
}
