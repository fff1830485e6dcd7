/**
 * The reference window: cut by losses, marks and a long queue; grows by a segment per round trip and, when
 * there has been no congestion for long, by a share of itself (section "Reference Window Update" of
 * draft-johansson-ccwg-rfc8298bis-screamv2).
 */
import { segmentBytes } from './segment.ts';
import { virtualRttMs } from './virtual-rtt.ts';

/** The window may grow to this times the most in flight, and a segment more (BYTES_IN_FLIGHT_HEAD_ROOM). */
const inFlightHeadRoom = 1.5;
/** Round trips after congestion in which growth is cautious (POST_CONGESTION_DELAY_RTT). */
const cautiousRtts = 100;
/** Growth per round trip as a share of the window (MUL_INCREASE_FACTOR). */
const multiplicativeIncrease = 0.02;
/** The inflection point moves no more often than once in so many round trips. */
const inflectionRtts = 10;
/** How sharply growth and reduction fall off near the inflection point, and to what. */
const inflectionGain = 8;
const minInflectionScale = 0.1;
/** ... but never below these in additive growth, and in the reduction by marks. */
const minIncreaseScale = 0.25;
const minReductionScale = 0.25;
/** Windows of few segments move by this share at least. */
const minSmallWindowScale = 0.5;
/**
 * Marks: only while the queue is below this share of its target is the reduction lessened near the inflection point.
 */
const shortQueueRatio = 0.25;
/**
 * Without marks (alpha below this), growth falls off as the queue grows to a quarter of its target, down to a tenth.
 */
const noMarks = 0.0001;
const minDelayScale = 0.1;

type ReferenceWindowParams = {
  /** MIN_REF_WND, bytes. */
  minWindow: number;
  /** BETA_LOSS, BETA_ECN, IS_L4S. */
  lossBeta: number;
  ecnBeta: number;
  ecn: 'classic' | 'l4s';
};

/** What a feedback message says, and what is known at its arrival. */
export type WindowSignal = {
  sawLoss: boolean;
  sawMark: boolean;
  /** l4s_alpha_v; undefined where the queue is short. */
  virtualMarks: number | undefined;
  l4sAlpha: number;
  queueDelayMs: number;
  averageQueueDelayMs: number;
  queueDelayTargetMs: number;
  rttMs: number;
  /** Newly acked and not marked. */
  ackedBytes: number;
  /** The most in flight, in the last round trip and in the last two. */
  previousFlightBytes: number;
  flightBytes: number;
  /** The target bitrate is as high as it may be. */
  isAtMaximum: boolean;
};

export class ReferenceWindow {
  readonly #params: ReferenceWindowParams;
  #bytes: number;
  /** Window at the last congestion (ref_wnd_i). */
  #inflectionBytes = 1;
  #inflectionMs = -Infinity;
  /** Losses and marks that no reaction has answered yet. */
  #hasLoss = false;
  #hasMark = false;
  #congestionMs = -Infinity;
  #reactionMs = -Infinity;

  constructor(params: ReferenceWindowParams) {
    this.#params = params;
    this.#bytes = params.minWindow;
  }

  /** ref_wnd. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Segment over window, 1 at most (ref_wnd_ratio). */
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
    // after a long time without congestion the window may be far above what is sent
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
