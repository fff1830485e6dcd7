/**
 * Detects that STARTUP has found the path's bandwidth: the estimate has grown by less than a quarter in a few rounds,
 * or packets are lost.
 *
 * Source: libwebrtc 2018-06 (968b1dd0d7), bbr_network_controller.cc, CheckIfFullBandwidthReached.
 */

/** Growth factor of the bandwidth from which on STARTUP continues (kStartupGrowthTarget). */
const growthRatio = 1.25;

type FullBandwidthOptions = {
  /** Number of rounds without growth after which STARTUP ends (num_startup_rtts). */
  rounds: number;
  /** True if a loss ends STARTUP (exit_startup_on_loss). */
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

  /**
   * Called at the start of each round. The round does not count if its newest sample is from an application-limited
   * phase.
   */
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
