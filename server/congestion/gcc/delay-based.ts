/**
 * The delay-based estimate: groups of packets, their trend, and the rate that follows from it.
 *
 * Source: libwebrtc 2026-08, goog_cc/delay_based_bwe.cc. Audio has no detector of its own, as there by
 * default.
 */
import { AimdRateControl, type RateState } from './aimd.ts';
import { ArrivalGroups } from './arrival-groups.ts';
import { Trendline, type Usage } from './trendline.ts';

/** Silence after which groups and trend start anew (kStreamTimeOut), ms. */
const streamTimeoutMs = 2000;

type DelayBasedOptions = { startBps: number; backoffRatio: number; windowSamples: number };

/** A packet that arrived. */
type ReceivedPacket = { sentMs: number; receivedMs: number };

type DelayBasedResult = {
  /** Whether `rateBps` is news. */
  updated: boolean;
  /** Whether it is a probe's result. */
  fromProbe: boolean;
  rateBps: number;
  /** Whether an under-use ended: the queue that was built up is empty again. */
  recovered: boolean;
};

export class DelayBasedEstimate {
  readonly #windowSamples: number;
  readonly #aimd: AimdRateControl;
  #groups = new ArrivalGroups();
  #trendline: Trendline;
  #lastFeedbackMs = -Infinity;

  constructor({ startBps, backoffRatio, windowSamples }: DelayBasedOptions) {
    this.#windowSamples = windowSamples;
    this.#aimd = new AimdRateControl(startBps, backoffRatio);
    this.#trendline = new Trendline(windowSamples);
  }

  get rateBps(): number {
    return this.#aimd.rateBps;
  }

  get usage(): Usage {
    return this.#trendline.usage;
  }

  get rateState(): RateState {
    return this.#aimd.state;
  }

  get modifiedTrendMs(): number {
    return this.#trendline.modifiedTrendMs;
  }

  get thresholdMs(): number {
    return this.#trendline.thresholdMs;
  }

  get linkCapacityBps(): number | undefined {
    return this.#aimd.linkCapacityBps;
  }

  setMinBps(minBps: number): void {
    this.#aimd.setMinBps(minBps);
  }

  setRttMs(rttMs: number): void {
    this.#aimd.setRttMs(rttMs);
  }

  /** `packets` in order of arrival; `ackedBps` and `probeBps` where they are known. */
  onFeedback(
    packets: readonly ReceivedPacket[],
    ackedBps: number | undefined,
    probeBps: number | undefined,
    nowMs: number,
  ): DelayBasedResult {
    if (packets.length === 0)
      return { updated: false, fromProbe: false, rateBps: this.#aimd.rateBps, recovered: false };
    let recovered = false;
    let before = this.#trendline.usage;
    for (const packet of packets) {
      this.#onPacket(packet, nowMs);
      if (before === 'underuse' && this.#trendline.usage === 'normal') recovered = true;
      before = this.#trendline.usage;
    }
    if (this.#trendline.usage === 'overuse') {
      return {
        updated: this.#decrease(ackedBps, nowMs),
        fromProbe: false,
        rateBps: this.#aimd.rateBps,
        recovered: false,
      };
    }
    if (probeBps !== undefined) {
      this.#aimd.setRateBps(probeBps, nowMs);
      return { updated: true, fromProbe: true, rateBps: this.#aimd.rateBps, recovered: false };
    }
    return {
      updated: true,
      fromProbe: false,
      rateBps: this.#aimd.update(this.#trendline.usage, ackedBps, nowMs),
      recovered,
    };
  }

  #onPacket({ sentMs, receivedMs }: ReceivedPacket, nowMs: number): void {
    if (nowMs - this.#lastFeedbackMs > streamTimeoutMs) {
      this.#groups = new ArrivalGroups();
      this.#trendline = new Trendline(this.#windowSamples);
    }
    this.#lastFeedbackMs = nowMs;
    const delta = this.#groups.add(sentMs, receivedMs, nowMs);
    if (delta !== undefined) this.#trendline.update(delta.arrivalDeltaMs, delta.sendDeltaMs, receivedMs);
  }

  /**
   * Lowers the rate if it may be lowered now. Without an acked bitrate the rate is halved with every feedback: the 200
   * ms that libwebrtc intends to wait never take effect, because its comparison of half the rate less 1 bit/s with half
   * the rate is always true (InitialTimeToReduceFurther).
   */
  #decrease(ackedBps: number | undefined, nowMs: number): boolean {
    if (ackedBps === undefined) {
      this.#aimd.setRateBps(this.#aimd.rateBps / 2, nowMs);
      return true;
    }
    if (!this.#aimd.mayDecrease(ackedBps, nowMs)) return false;
    this.#aimd.update('overuse', ackedBps, nowMs);
    return true;
  }
}
