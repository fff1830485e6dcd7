/**
 * Maximum in a window, kept as three samples (Kathleen Nichols' filter). WebRTC's BBR counts the window in rounds.
 *
 * Source: libwebrtc 2018-06 (968b1dd0d7), bbr/windowed_filter.h. 'replace-one' is change 3 of Drucker et al., section
 * VII-A. The paper does not mention expiry, so samples expire in the same way in both variants. With 'replace-one' the
 * third sample can be the oldest. The filter is then emptied by the age of the third sample, not by that of the best
 * sample.
 */

/**
 * Effect of a new sample on the smaller ones of the three samples: 'replace-all' replaces all of them, 'replace-one'
 * moves them one place down.
 */
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

  /** Best sample in the window; 0 before the first sample. */
  get best(): number {
    return this.#samples[0].value;
  }

  get thirdBest(): number {
    return this.#samples[2].value;
  }

  /** Adds a sample. `round` never decreases, and `value` is not negative. */
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

  /**
   * Removes the best sample if it is too old. Renews the second and third samples so that the three samples come from
   * different parts of the window.
   */
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
