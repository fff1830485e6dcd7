/**
 * The delay-based estimate: groups of packets, the trend of their delays, and the rate.
 *
 * Source: libwebrtc 2026-08, goog_cc/delay_based_bwe.cc. Audio has no separate detector, which is also libwebrtc's
 * default.
 */
import { AimdRateControl, type RateState } from './aimd.ts';
import { ArrivalGroups } from './arrival-groups.ts';
import { Trendline, type Usage } from './trendline.ts';

/** Time without feedback after which groups and trend are reset (kStreamTimeOut), ms. */
const streamTimeoutMs = 2000;

type DelayBasedOptions = { startBps: number; backoffRatio: number; windowSamples: number };

type ReceivedPacket = { sentMs: number; receivedMs: number };

type DelayBasedResult = {
  /** True if this feedback has updated `rateBps`. */
  updated: boolean;
  /** True if `rateBps` is the result of a probe. */
  fromProbe: boolean;
  rateBps: number;
  /** True if an under-use ended, which means that the queue is empty again. */
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

  /**
   * Takes the packets of one feedback message. `packets`: in order of arrival. `ackedBps`, `probeBps`: undefined if
   * unknown.
   */
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
   * Lowers the rate if a decrease is allowed now; returns true if the rate was lowered. Without an acked bitrate every
   * feedback halves the rate: the wait of 200 ms that libwebrtc intends never takes effect, because libwebrtc compares
   * half the rate less 1 bit/s with half the rate (InitialTimeToReduceFurther).
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
