/**
 * The maximum over a window, from three samples: Kathleen Nichols' filter, as BBR in WebRTC used it with rounds as its
 * time.
 *
 * Source: libwebrtc 2018-06 (968b1dd0d7), bbr/windowed_filter.h. 'replace-one' is change 3 of Drucker et al., section
 * VII-A. The paper says nothing of expiry, so expiry is the same in both variants. With 'replace-one' the third sample
 * can be the oldest; then its age, and not that of the best one, empties the filter.
 */

/** What a new sample does to those it beats: takes the place of them all, or pushes each one place down. */
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

  /** The best sample of the window; 0 before the first. */
  get best(): number {
    return this.#samples[0].value;
  }

  get thirdBest(): number {
    return this.#samples[2].value;
  }

  /** `round` never goes back. Values are not negative. */
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

  /** Lets a best sample that has become too old go, and keeps the other two from later parts of the window. */
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
