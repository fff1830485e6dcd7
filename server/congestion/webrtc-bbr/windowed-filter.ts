/**
 * Windowed maximum from three samples: Kathleen Nichols' filter. WebRTC's BBR used it with rounds as time.
 *
 * Source: libwebrtc 2018-06 (968b1dd0d7), bbr/windowed_filter.h. 'replace-one' is change 3 of Drucker et al., section
 * VII-A. The paper does not mention expiry, so it is the same in both variants. With 'replace-one' the third sample can
 * be the oldest; then its age empties the filter, not that of the best sample.
 */

/** Effect of a new sample on smaller samples: it replaces all of them, or moves each one place down. */
export type Replacement = 'replace-all' | 'replace-one';

type Sample = { value: number; round: number };

export class WindowedMax {
  readonly #windowRounds: number;
  readonly #replacement: Replacement;
  #samples: [Sample, Sample, Sample] = [
    { value: 0, round: 0 },
    { value: 0, round: 0 },
    { value: 0, round: 0 },
  ];

  constructor(windowRounds: number, replacement: Replacement) {
    this.#windowRounds = windowRounds;
    this.#replacement = replacement;
  }

  /** Best sample of the window; 0 before the first. */
  get best(): number {
    return this.#samples[0].value;
  }

  get thirdBest(): number {
    return this.#samples[2].value;
  }

  /** Adds a sample. `round` never decreases; values are not negative. */
  update(value: number, round: number): void {
    const sample = { value, round };
    const [best, second, third] = this.#samples;
    const isEmpty = best.value === 0 || round - third.round > this.#windowRounds;
    if (isEmpty || (value >= best.value && this.#replacement === 'replace-all')) {
      this.#samples = [sample, sample, sample];
      return;
    }
    if (value >= best.value) {
      this.#samples = [sample, best, second];
      return;
    }
    if (value >= second.value) this.#samples = [best, sample, this.#replacement === 'replace-all' ? sample : second];
    else if (value >= third.value) this.#samples = [best, second, sample];
    this.#expire(sample);
  }

  /** Removes a best sample that is too old, and keeps the other two samples from later parts of the window. */
  #expire(sample: Sample): void {
    const [best, second, third] = this.#samples;
    if (sample.round - best.round > this.#windowRounds) {
      this.#samples =
        sample.round - second.round > this.#windowRounds ? [third, sample, sample] : [second, third, sample];
    } else if (second.value === best.value && sample.round - second.round > this.#windowRounds >> 2) {
      this.#samples = [best, sample, sample];
    } else if (third.value === second.value && sample.round - third.round > this.#windowRounds >> 1) {
      this.#samples = [best, second, sample];
    }
  }
}
