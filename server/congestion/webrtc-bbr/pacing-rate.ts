/**
 * The pacing rate: gain times bandwidth; it never falls in STARTUP.
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
   * Returns the pacing rate. Before the first bandwidth it is the initial window per round trip, times the gain of
   * STARTUP.
   */
  bps(minRttMs: number): number {
    return this.#bps ?? (startupGain * this.#initialWindowBytes * 8000) / minRttMs;
  }

  /** `rttMs`: age of a report's newest packet at the report's arrival. */
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
