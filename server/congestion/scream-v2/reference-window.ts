/**
 * The reference window. Losses, marks and a long queue reduce the window. The window grows by a segment per round trip,
 * and faster, in proportion to its size, if the last congestion was long ago (section "Reference Window Update" of
 * draft-johansson-ccwg-rfc8298bis-screamv2).
 */
import { segmentBytes } from './segment.ts';
import { virtualRttMs } from './virtual-rtt.ts';

/**
 * Factor in the limit of growth: the window grows up to this factor times the most bytes in flight, plus a segment
 * (BYTES_IN_FLIGHT_HEAD_ROOM).
 */
const inFlightHeadRoom = 1.5;
/** Round trips after congestion in which the window grows cautiously (POST_CONGESTION_DELAY_RTT). */
const cautiousRtts = 100;
/** Growth per round trip as a share of the window (MUL_INCREASE_FACTOR). */
const multiplicativeIncrease = 0.02;
/**
 * Smallest number of round trips between two moves of the inflection point, which is the window at the last congestion.
 */
const inflectionRtts = 10;
/** Slope and lower limit of the inflection scale, which slows changes of the window near the inflection point. */
const inflectionGain = 8;
const minInflectionScale = 0.1;
/** Lower limits of the inflection scale: for additive growth, and for the reduction by marks. */
const minIncreaseScale = 0.25;
const minReductionScale = 0.25;
/** Lower limit of the small-window scale, which slows changes of a window of few segments. */
const minSmallWindowScale = 0.5;
/**
 * Share of the queue delay target. For a queue delay below this share, the inflection scale also slows the reduction by
 * marks.
 */
const shortQueueRatio = 0.25;
/**
 * Share of marks (alpha) below which the delay scale slows growth; and lower limit of this scale. The scale falls from
 * 1 without a queue to its limit at nearly a quarter of the queue delay target.
 */
const noMarks = 0.0001;
const minDelayScale = 0.1;

type ReferenceWindowParams = {
  /** Smallest window (MIN_REF_WND), bytes. */
  minWindow: number;
  /** Parameters BETA_LOSS, BETA_ECN and IS_L4S of the draft. */
  lossBeta: number;
  ecnBeta: number;
  ecn: 'classic' | 'l4s';
};

/** A feedback message, and the state of the sender when the message arrived. */
export type WindowSignal = {
  sawLoss: boolean;
  sawMark: boolean;
  /** Share of virtual marks (l4s_alpha_v); undefined if the queue is short or the path marks packets. */
  virtualMarks: number | undefined;
  l4sAlpha: number;
  queueDelayMs: number;
  averageQueueDelayMs: number;
  queueDelayTargetMs: number;
  rttMs: number;
  /** Bytes that the message newly acknowledges, without those of marked packets. */
  ackedBytes: number;
  /** Most bytes in flight: in the previous round trip, and in the current and the previous round trip. */
  previousFlightBytes: number;
  flightBytes: number;
  /** True if the target bitrate is at its maximum. */
  isAtMaximum: boolean;
};

export class ReferenceWindow {
  readonly #params: ReferenceWindowParams;
  #bytes: number;
  /** Inflection point: window at the last congestion (ref_wnd_i), bytes. */
  #inflectionBytes = 1;
  #inflectionMs = -Infinity;
  /** True after a loss (or mark) to which the window has not reacted yet. */
  #hasLoss = false;
  #hasMark = false;
  #congestionMs = -Infinity;
  #reactionMs = -Infinity;

  constructor(params: ReferenceWindowParams) {
    this.#params = params;
    this.#bytes = params.minWindow;
  }

  /** Size of the reference window (ref_wnd). */
  get bytes(): number {
    return this.#bytes;
  }

  /** Ratio of segment to window, at most 1 (ref_wnd_ratio). */
  get segmentRatio(): number {
    return Math.min(1, segmentBytes / this.#bytes);
  }

  onFeedback(signal: WindowSignal, nowMs: number): void {
    this.#hasLoss ||= signal.sawLoss;
    this.#hasMark ||= signal.sawMark;
    if (this.#hasLoss || this.#hasMark) this.#congestionMs = nowMs;
    const mayReact = nowMs - this.#reactionMs >= Math.min(virtualRttMs, signal.rttMs);
    const isVirtual = !this.#hasLoss && !this.#hasMark && signal.virtualMarks !== undefined;
    const reacts = mayReact && (this.#hasLoss || this.#hasMark || isVirtual);
    if (reacts && nowMs - this.#inflectionMs > inflectionRtts * signal.rttMs) {
      this.#inflectionMs = nowMs;
      this.#inflectionBytes = this.#bytes;
    }
    const scale = this.#inflectionScale();
    if (reacts) this.#reduce(signal, scale, nowMs);
    this.#grow(signal, scale, nowMs);
  }

  #inflectionScale(): number {
    const distance = (inflectionGain * (this.#bytes - this.#inflectionBytes)) / this.#inflectionBytes;
    return Math.max(minInflectionScale, Math.min(1, distance * distance));
  }

  #smallWindowScale(): number {
    return Math.max(minSmallWindowScale, 1 - this.segmentRatio);
  }

  #reduce(signal: WindowSignal, scale: number, nowMs: number): void {
    if (this.#hasLoss) this.#bytes *= this.#params.lossBeta;
    if (this.#hasMark) this.#reduceByMarks(signal, scale, nowMs);
    if (!this.#hasLoss && !this.#hasMark) this.#bytes *= 1 - (signal.virtualMarks! / 2) * this.#smallWindowScale();
    this.#bytes = Math.max(this.#params.minWindow, this.#bytes);
    this.#hasLoss = false;
    this.#hasMark = false;
    this.#reactionMs = nowMs;
  }

  #reduceByMarks(
    { l4sAlpha, queueDelayMs, queueDelayTargetMs, rttMs, previousFlightBytes }: WindowSignal,
    scale: number,
    nowMs: number,
  ): void {
    if (this.#params.ecn === 'classic') {
      this.#bytes *= this.#params.ecnBeta;
      return;
    }
    let backoff = (l4sAlpha / 2) * this.#smallWindowScale();
    if (queueDelayMs < shortQueueRatio * queueDelayTargetMs) backoff *= Math.max(minReductionScale, scale);
    // After a long time without congestion the window may be far above the bytes in flight.
    if (nowMs - this.#reactionMs > cautiousRtts * Math.max(virtualRttMs, rttMs))
      this.#bytes = Math.min(this.#bytes, previousFlightBytes);
    this.#bytes *= 1 - backoff;
  }

  #grow(
    { ackedBytes, rttMs, l4sAlpha, averageQueueDelayMs, queueDelayTargetMs, flightBytes, isAtMaximum }: WindowSignal,
    scale: number,
    nowMs: number,
  ): void {
    const sinceCongestion = Math.min(1, (nowMs - this.#congestionMs) / (cautiousRtts * Math.max(virtualRttMs, rttMs)));
    const shortRtt = Math.min(1, rttMs / virtualRttMs) ** 2;
    const delayScale =
      l4sAlpha < noMarks ? Math.max(minDelayScale, 1 - averageQueueDelayMs / (queueDelayTargetMs / 4)) : 1;
    const additiveBytes =
      ackedBytes *
      this.segmentRatio *
      shortRtt *
      Math.max(minIncreaseScale, scale) *
      this.#smallWindowScale() *
      delayScale;
    const multiplier = 1 + ((multiplicativeIncrease * this.#bytes) / segmentBytes) * sinceCongestion * scale;
    const bytes = this.#bytes + additiveBytes * multiplier;
    if (bytes <= segmentBytes + flightBytes * inFlightHeadRoom && !isAtMaximum) this.#bytes = bytes;
  }
}
