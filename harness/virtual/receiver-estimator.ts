/**
 * A receiver that estimates the rate itself and tells it (REMB), for simulations: the delay-based part of
 * `gcc`, working where the packets arrive.
 *
 * libwebrtc's receiver (modules/remote_bitrate_estimator/remote_bitrate_estimator_abs_send_time.cc) has the same
 * groups, threshold and rate control around a Kalman filter in place of the trendline, and learns a
 * first rate from bursts at the start where there are any; here it is the rate of the first five seconds.
 */
import { AckedBitrate, type AckedPacket } from '../../server/congestion/gcc/acked-bitrate.ts';
import { AimdRateControl } from '../../server/congestion/gcc/aimd.ts';
import { ArrivalGroups } from '../../server/congestion/gcc/arrival-groups.ts';
import { Trendline } from '../../server/congestion/gcc/trendline.ts';

/** Throughput is taken for the first estimate after so long (kInitializationTimeMs), ms. */
const firstEstimateMs = 5000;
/** An estimate that has hardly fallen waits so long after the last (kRembSendInterval of remb_throttler.cc), ms. */
const intervalMs = 200;
/** One that has fallen by more than this goes at once (kSendThresholdPercent, there). */
const fallToSend = 1.03;
/** Silence after which groups and trend start anew (kStreamTimeOutMs), ms. */
const streamTimeoutMs = 2000;
/** `gcc`'s defaults: share of the throughput left at over-use, groups in the trendline's window. */
const backoffRatio = 0.85;
const windowSamples = 20;

export class ReceiverEstimator {
  #groups = new ArrivalGroups();
  #trendline = new Trendline(windowSamples);
  readonly #incoming = new AckedBitrate();
  #aimd: AimdRateControl | undefined;
  #firstMs: number | undefined;
  #lastMs = -Infinity;
  #updatedMs = -Infinity;
  #told = { atMs: -Infinity, rateBps: Infinity };

  /** Takes a packet as it arrives; returns the estimate that is to be told now, bit/s. */
  add(packet: AckedPacket): number | undefined {
    const nowMs = packet.receivedMs;
    this.#firstMs ??= nowMs;
    if (nowMs - this.#lastMs > streamTimeoutMs) {
      this.#groups = new ArrivalGroups();
      this.#trendline = new Trendline(windowSamples);
    }
    this.#lastMs = nowMs;
    this.#incoming.add([packet]);
    const delta = this.#groups.add(packet.sentMs, nowMs, nowMs);
    if (delta !== undefined) this.#trendline.update(delta.arrivalDeltaMs, delta.sendDeltaMs, nowMs);
    if (nowMs - this.#firstMs < firstEstimateMs) return undefined;
    const isDue = nowMs - this.#updatedMs >= intervalMs;
    // most packets change nothing, and the rate takes long to compute
    if (this.#aimd !== undefined && this.#trendline.usage !== 'overuse' && !isDue) return undefined;
    const incomingBps = this.#incoming.rateBps;
    if (incomingBps === undefined) return undefined;
    this.#aimd ??= new AimdRateControl(incomingBps, backoffRatio);
    const mayFall = this.#trendline.usage === 'overuse' && this.#aimd.mayDecrease(incomingBps, nowMs);
    if (!mayFall && !isDue) return undefined;
    if (mayFall || this.#trendline.usage !== 'overuse') this.#aimd.update(this.#trendline.usage, incomingBps, nowMs);
    this.#updatedMs = nowMs;
    return this.#throttled(this.#aimd.rateBps, nowMs);
  }

  #throttled(rateBps: number, nowMs: number): number | undefined {
    if (rateBps * fallToSend > this.#told.rateBps && nowMs < this.#told.atMs + intervalMs) return undefined;
    this.#told = { atMs: nowMs, rateBps };
    return rateBps;
  }
}
