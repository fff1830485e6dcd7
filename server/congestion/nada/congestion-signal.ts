/**
 * The aggregate congestion signal: queue delay plus penalties for losses and ECN marks. Warping shortens a long queue
 * delay; it is used if losses indicate that a loss-based flow fills the queue.
 *
 * Source: RFC 8698, section 4.2, equations 1 and 2, and section 5.1.2, equation 10.
 */
import type { LossIntervals } from './loss-intervals.ts';
import type { NadaParams } from './params.ts';

export class CongestionSignal {
  readonly #params: NadaParams;
  #lossRatio = 0;
  #markRatio = 0;
  #warpedMs = 0;
  #signalMs = 0;

  constructor(params: NadaParams) {
    this.#params = params;
  }

  /** Smoothed loss ratio (p_loss), 0 to 1. */
  get lossRatio(): number {
    return this.#lossRatio;
  }

  /** Smoothed ratio of marked packets (p_mark), 0 to 1. */
  get markRatio(): number {
    return this.#markRatio;
  }

  /** Queue delay after warping (d_tilde), ms. */
  get warpedMs(): number {
    return this.#warpedMs;
  }

  /** Congestion signal (x_curr), ms. */
  get signalMs(): number {
    return this.#signalMs;
  }

  /** Takes the filtered queue delay and the ratios in the observation window; returns the congestion signal, ms. */
  update(queueMs: number, ratios: { lossRatio: number; markRatio: number }, losses: LossIntervals): number {
    const { smoothing, lossDelay, referenceLoss, markDelay, referenceMark, maxSignal } = this.#params;
    this.#lossRatio = smoothing * ratios.lossRatio + (1 - smoothing) * this.#lossRatio;
    this.#markRatio = smoothing * ratios.markRatio + (1 - smoothing) * this.#markRatio;
    const share = this.#warpShare(losses);
    this.#warpedMs = share * this.#warp(queueMs) + (1 - share) * queueMs;
    const penaltyMs =
      lossDelay * (this.#lossRatio / referenceLoss) ** 2 + markDelay * (this.#markRatio / referenceMark) ** 2;
    this.#signalMs = Math.min(this.#warpedMs + penaltyMs, maxSignal);
    return this.#signalMs;
  }

  /** Returns the warped queue delay (equation 1). */
  #warp(queueMs: number): number {
    const { warpDelay, lambda } = this.#params;
    return queueMs < warpDelay ? queueMs : warpDelay * Math.exp((-lambda * (queueMs - warpDelay)) / warpDelay);
  }

  /**
   * Returns the weight of the warped queue delay: 1 while the last loss counts, afterwards falling to 0 over one
   * average loss interval.
   */
  #warpShare({ averagePackets, sinceLossPackets }: LossIntervals): number {
    if (averagePackets === undefined) return 0;
    return Math.min(Math.max(this.#params.lossExpiry + 1 - sinceLossPackets / averagePackets, 0), 1);
  }
}
