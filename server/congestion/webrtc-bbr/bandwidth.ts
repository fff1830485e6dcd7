/**
 * The bandwidth estimate: the best sample of the last ten rounds, or the third best of the filter's three samples
 * (Drucker et al., section VII-A, change 2).
 *
 * Source: libwebrtc 2018-06 (968b1dd0d7), bbr_network_controller.cc, UpdateBandwidthAndMinRtt.
 */
import type { BandwidthSample } from './bandwidth-sampler.ts';
import { type Replacement, WindowedMax } from './windowed-filter.ts';

/** Rounds in the window: the eight of a gain cycle and two more (kBandwidthWindowSize). */
export const windowRounds = 10;

type Rank = 'best' | 'third-best';

export class Bandwidth {
  readonly #filter: WindowedMax;
  readonly #rank: Rank;
  #isAppLimited = false;

  constructor(rank: Rank, replacement: Replacement) {
    this.#filter = new WindowedMax(windowRounds, replacement);
    this.#rank = rank;
  }

  /** Estimated bandwidth; 0 before the first sample. */
  get bps(): number {
    return this.#rank === 'best' ? this.#filter.best : this.#filter.thirdBest;
  }

  /** True if the newest sample was measured in an application-limited phase. */
  get isAppLimited(): boolean {
    return this.#isAppLimited;
  }

  /** Adds a sample. A sample from an application-limited phase counts only if it is above the estimate. */
  add({ bandwidthBps, isAppLimited }: BandwidthSample, round: number): void {
    this.#isAppLimited = isAppLimited;
    if (!isAppLimited || bandwidthBps > this.bps) this.#filter.update(bandwidthBps, round);
  }
}
