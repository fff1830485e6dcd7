/**
 * The target bitrate of the encoder. The target ramps up in fast increase mode, else the target follows the throughput
 * minus the sender's own queue. After losses and marks the target falls at once (RFC 8298, section 4.1.3).
 *
 * Outside of fast increase mode the RFC's text adds the throughput to the target. The authors' code of May 2018
 * (ScreamTx.cpp, updateTargetBitrate) adds the throughput minus the target. The parameter `rateChange` selects one of
 * the two rules.
 */
import type { CongestionEvent } from './congestion-events.ts';

/** Time between two adjustments of the target (RATE_ADJUST_INTERVAL), ms. */
export const adjustIntervalMs = 200;
/** Factor of the target after a loss event (BETA_R). The factor after an ECN event is BETA_ECN. */
const rateBeta = 0.9;
/** Limit of the ramp-up per second, as a share of the target. */
const rampUpShare = 0.5;
/**
 * Lower limit and slope of the ramp-up scale, which slows the ramp-up near the target at the last congestion. The scale
 * reaches 1 at a distance of a quarter of that target.
 */
const minScale = 0.2;
const scaleGain = 4;
/**
 * Queue delay in the sender above which the target is reduced (RTP_QDELAY_TH, ms), and factor of this reduction
 * (TARGET_RATE_SCALE_RTP_QDELAY).
 */
const queueThresholdMs = 20;
const queueScale = 0.95;
/**
 * Factor in the limit of the target: the trend's memory of congestion is subtracted from this factor, and the limit is
 * the difference times the larger of throughput and media rate.
 */
const limitFactor = 2;

type MediaRateParams = {
  /** Fastest ramp-up (RAMP_UP_SPEED), bit/s per second. */
  rampUpSpeed: number;
  /** Parameters PRE_CONGESTION_GUARD and TX_QUEUE_SIZE_FACTOR of the RFC. */
  preCongestionGuard: number;
  txQueueSizeFactor: number;
  ecnBeta: number;
  rateChange: 'as-written' | 'difference';
};

/** State of sender and path in the adjustment interval that has just ended. */
export type MediaState = {
  inFastIncrease: boolean;
  /** Trend of the queue delay (qdelay_trend), and the trend's memory (qdelay_trend_mem). */
  trend: number;
  trendMemory: number;
  /** Throughput: the larger of rate_transmit and rate_ack. Media rate: the larger of rate_media and its median. */
  currentBps: number;
  mediaBps: number;
  /** Smallest number of bytes in the pacer in this interval (rtp_queue_size). */
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

  /** Called at congestion. Records the target, so that later growth is slow near this value. */
  markCongestion(): void {
    this.#lastMaxBps = this.#targetBps;
  }

  onCongestion(event: CongestionEvent): void {
    this.markCongestion();
    this.#targetBps *= event === 'loss' ? rateBeta : this.#params.ecnBeta;
    this.#clamp();
  }

  /** Adjusts the target; called every 200 ms. */
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
