/**
 * The target bitrate of the encoder: ramps up in fast increase mode, else follows the throughput less what
 * waits in the sender's own queue, and gives way at once to losses and marks (RFC 8298, section 4.1.3).
 *
 * Outside of fast increase mode the RFC's text adds the throughput to the target where the authors' code of
 * May 2018 (ScreamTx.cpp, updateTargetBitrate) adds its difference from the target; `rateChange` says which.
 */
import type { CongestionEvent } from './congestion-events.ts';

/** Time between two adjustments (RATE_ADJUST_INTERVAL), ms. */
export const adjustIntervalMs = 200;
/** What is left of the target after a loss event (BETA_R). An ECN event leaves BETA_ECN. */
const rateBeta = 0.9;
/** The ramp-up is not faster than this share of the target in a second. */
const rampUpShare = 0.5;
/**
 * Near the last congestion the target grows by this share of the ramp-up at least; from a quarter away at full speed.
 */
const minScale = 0.2;
const scaleGain = 4;
/** Queue of the sender (RTP_QDELAY_TH, ms) above which the target is scaled by this (TARGET_RATE_SCALE_RTP_QDELAY). */
const queueThresholdMs = 20;
const queueScale = 0.95;
/** The target is at most so many times what the encoder and the path have shown, less the memory of congestion. */
const limitFactor = 2;

type MediaRateParams = {
  /** RAMP_UP_SPEED, bit/s per second. */
  rampUpSpeed: number;
  /** PRE_CONGESTION_GUARD and TX_QUEUE_SIZE_FACTOR. */
  preCongestionGuard: number;
  txQueueSizeFactor: number;
  ecnBeta: number;
  rateChange: 'as-written' | 'difference';
};

/** What has been going on since the last adjustment. */
export type MediaState = {
  inFastIncrease: boolean;
  /** qdelay_trend and qdelay_trend_mem. */
  trend: number;
  trendMemory: number;
  /** rate_transmit or rate_ack, whichever is more; rate_media or its median, whichever is more. */
  currentBps: number;
  mediaBps: number;
  /** Bytes that wait in the sender (rtp_queue_size). */
  queuedBytes: number;
};

export class MediaRate {
  readonly #params: MediaRateParams;
  #targetBps: number;
  #minBps: number;
  #maxBps: number;
  /** Target at the last congestion (target_bitrate_last_max). */
  #lastMaxBps = 1;

  constructor(params: MediaRateParams, startBps: number, minBps: number, maxBps: number) {
    this.#params = params;
    this.#targetBps = startBps;
    this.#minBps = minBps;
    this.#maxBps = maxBps;
    this.#clamp();
  }

  get targetBps(): number {
    return this.#targetBps;
  }

  setLimits(minBps: number, maxBps: number): void {
    this.#minBps = minBps;
    this.#maxBps = maxBps;
    this.#clamp();
  }

  /** Congestion was noticed: from here on the target grows slowly in this region. */
  markCongestion(): void {
    this.#lastMaxBps = this.#targetBps;
  }

  onCongestion(event: CongestionEvent): void {
    this.markCongestion();
    this.#targetBps *= event === 'loss' ? rateBeta : this.#params.ecnBeta;
    this.#clamp();
  }

  /** Every 200 ms. */
  adjust(state: MediaState): void {
    const rampUpBps = (Math.min(this.#params.rampUpSpeed, this.#targetBps * rampUpShare) * adjustIntervalMs) / 1000;
    const scale = this.#scale();
    if (state.inFastIncrease) {
      this.#targetBps += rampUpBps * scale;
    } else {
      const change = this.#change(state);
      this.#targetBps += change > 0 ? Math.min(change * scale, rampUpBps) : change;
      if (state.queuedBytes * 8000 > queueThresholdMs * state.currentBps) this.#targetBps *= queueScale;
    }
    this.#targetBps = Math.min(
      this.#targetBps,
      Math.max(state.currentBps, state.mediaBps) * (limitFactor - state.trendMemory),
    );
    this.#clamp();
  }

  #change({ trend, currentBps, queuedBytes }: MediaState): number {
    const { preCongestionGuard, txQueueSizeFactor, rateChange } = this.#params;
    const allowedBps = currentBps * (1 - preCongestionGuard * trend) - txQueueSizeFactor * queuedBytes * 8;
    return rateChange === 'as-written' ? allowedBps : allowedBps - this.#targetBps;
  }

  #scale(): number {
    const distance = (scaleGain * (this.#targetBps - this.#lastMaxBps)) / this.#lastMaxBps;
    return Math.max(minScale, Math.min(1, distance * distance));
  }

  #clamp(): void {
    this.#targetBps = Math.min(this.#maxBps, Math.max(this.#minBps, this.#targetBps));
  }
}
