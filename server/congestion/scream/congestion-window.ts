/**
 * The congestion window. In fast increase mode the window grows by the acknowledged bytes, else the window follows the
 * queue delay as in LEDBAT. Losses and ECN marks reduce the window (RFC 8298, sections 4.1.2.2, 4.1.2.5 and 4.1.2.7).
 */
import { RecentMaximum } from './recent-maximum.ts';

/** Largest segment (MSS), bytes. */
const segmentBytes = 1000;
/** Gain of window changes by the queue delay (GAIN). */
const gain = 1;
/** Trend of the queue delay that ends fast increase mode when reached (QDELAY_TREND_TH). */
const trendThreshold = 0.2;
/**
 * Trend of the queue delay below which fast increase mode resumes (QDELAY_TREND_LO); and time for which the trend must
 * stay below (T_RESUME_FAST_INCREASE), ms.
 */
const lowTrend = 0.2;
const resumeMs = 5000;
/**
 * Factors of the bytes in flight. The window counts as used, and may grow, if the factor times the bytes in flight,
 * plus the acknowledged bytes, exceeds the window.
 */
const slackInFastIncrease = 1.5;
const slack = 1.25;
/**
 * Limit of the window as a multiple of the most bytes in flight (MAX_BYTES_IN_FLIGHT_HEAD_ROOM); and time over which
 * this maximum is taken, ms.
 */
const headRoom = 1.1;
const inFlightWindowMs = 5000;

type WindowParams = {
  /** Smallest window (MIN_CWND), bytes. */
  minWindow: number;
  /** Factor of the window after a loss (BETA_LOSS), and factor after an ECN mark (BETA_ECN). */
  lossBeta: number;
  ecnBeta: number;
};

/** A feedback message without losses and marks. */
export type Acknowledgement = {
  ackedBytes: number;
  /** Bytes in flight after the message has arrived. */
  inFlightBytes: number;
  queueDelayMs: number;
  queueDelayTargetMs: number;
  /** Trend of the queue delay (qdelay_trend). */
  trend: number;
};

export class CongestionWindow {
  readonly #params: WindowParams;
  readonly #maxInFlight = new RecentMaximum(inFlightWindowMs);
  #bytes: number;
  #inFastIncrease = true;
  /** Time since when the trend has been low, ms; undefined while the trend is not low. */
  #lowTrendSinceMs: number | undefined;

  constructor(params: WindowParams) {
    this.#params = params;
    this.#bytes = params.minWindow;
  }

  /** Size of the congestion window (cwnd). */
  get bytes(): number {
    return this.#bytes;
  }

  get inFastIncrease(): boolean {
    return this.#inFastIncrease;
  }

  /**
   * Returns the limit for the bytes in flight: the window, plus one segment while the queue delay is not above its
   * target.
   */
  sendWindowBytes(queueDelayMs: number, queueDelayTargetMs: number): number {
    return this.#bytes + (queueDelayMs <= queueDelayTargetMs ? segmentBytes : 0);
  }

  onSent(inFlightBytes: number, nowMs: number): void {
    this.#maxInFlight.add(inFlightBytes, nowMs);
  }

  onCongestion(event: 'loss' | 'ecn'): void {
    this.#inFastIncrease = false;
    this.#lowTrendSinceMs = undefined;
    this.#bytes = Math.max(
      this.#params.minWindow,
      this.#bytes * (event === 'loss' ? this.#params.lossBeta : this.#params.ecnBeta),
    );
  }

  onAcknowledgement(ack: Acknowledgement, nowMs: number): void {
    if (this.#inFastIncrease && ack.trend < trendThreshold) {
      if (ack.inFlightBytes * slackInFastIncrease + ack.ackedBytes > this.#bytes) this.#bytes += ack.ackedBytes;
      return;
    }
    this.#inFastIncrease = false;
    const offTarget = (ack.queueDelayTargetMs - ack.queueDelayMs) / ack.queueDelayTargetMs;
    const isUsed = ack.inFlightBytes * slack + ack.ackedBytes > this.#bytes;
    if (offTarget <= 0 || isUsed) this.#bytes += (gain * offTarget * ack.ackedBytes * segmentBytes) / this.#bytes;
    this.#bytes = Math.max(this.#params.minWindow, Math.min(this.#bytes, this.#maxInFlight.value * headRoom));
    this.#checkToResume(ack.trend, nowMs);
  }

  #checkToResume(trend: number, nowMs: number): void {
    this.#lowTrendSinceMs = trend < lowTrend ? (this.#lowTrendSinceMs ?? nowMs) : undefined;
    if (this.#lowTrendSinceMs === undefined || nowMs - this.#lowTrendSinceMs < resumeMs) return;
    this.#inFastIncrease = true;
    this.#lowTrendSinceMs = undefined;
  }
}
