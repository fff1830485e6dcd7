/**
 * The pacing rate: gain times bandwidth. The rate never falls in STARTUP.
 *
 * Source: libwebrtc 2018-06 (968b1dd0d7), bbr_network_controller.cc, PacingRate and CalculatePacingRate.
 */

/** Gain of STARTUP, 2 / ln 2 (kHighGain). */
export const startupGain = 2.885;

export class PacingRate {
  readonly #initialWindowBytes: number;
  #bps: number | undefined;
  #lowestRttMs = Infinity;

  constructor(initialWindowBytes: number) {
    this.#initialWindowBytes = initialWindowBytes;
  }

  /**
   * Returns the pacing rate. While the bandwidth is unknown, the rate is the gain of STARTUP times the initial window
   * per round trip.
   */
  bps(minRttMs: number): number {
    return this.#bps ?? (startupGain * this.#initialWindowBytes * 8000) / minRttMs;
  }

  /** Takes the age of a report's newest packet when the report arrived, ms. */
  onRtt(rttMs: number): void {
    if (rttMs > 0) this.#lowestRttMs = Math.min(this.#lowestRttMs, rttMs);
  }

  update(bandwidthBps: number, gain: number, isFullBandwidth: boolean): void {
    if (bandwidthBps === 0) return;
    if (isFullBandwidth) this.#bps = gain * bandwidthBps;
    else if (this.#bps === undefined && this.#lowestRttMs < Infinity)
      this.#bps = (this.#initialWindowBytes * 8000) / this.#lowestRttMs;
    else this.#bps = Math.max(this.#bps ?? 0, gain * bandwidthBps);
  }
}
