/**
 * Whether STARTUP has found the path's bandwidth: it no longer grows by a quarter in a few rounds, or packets are lost.
 *
 * Source: libwebrtc 2018-06 (968b1dd0d7), bbr_network_controller.cc, CheckIfFullBandwidthReached.
 */

/** kStartupGrowthTarget. */
const growthRatio = 1.25;

type FullBandwidthOptions = {
  /** num_startup_rtts. */
  rounds: number;
  /** exit_startup_on_loss. */
  exitOnLoss: boolean;
};

export class FullBandwidth {
  readonly #options: FullBandwidthOptions;
  #isReached = false;
  #lastBps = 0;
  #roundsWithoutGrowth = 0;

  constructor(options: FullBandwidthOptions) {
    this.#options = options;
  }

  get isReached(): boolean {
    return this.#isReached;
  }

  /** To be called where a round starts; a round whose last sample was application-limited says nothing. */
  onRound(bandwidthBps: number, isAppLimited: boolean, inRecovery: boolean): void {
    if (this.#isReached || isAppLimited) return;
    if (bandwidthBps >= this.#lastBps * growthRatio) {
      this.#lastBps = bandwidthBps;
      this.#roundsWithoutGrowth = 0;
      return;
    }
    this.#roundsWithoutGrowth++;
    this.#isReached = this.#roundsWithoutGrowth >= this.#options.rounds || (this.#options.exitOnLoss && inRecovery);
  }
}
