/**
 * The old rule of loss: up below 2 %, down above 10 %. It holds until the loss model has seen enough,
 * and throughout where the model is switched off.
 *
 * Source: libwebrtc 2026-08, goog_cc/send_side_bandwidth_estimation.cc; draft-ietf-rmcat-gcc-02
 * section 6. Losses are those that RTCP receiver reports tell of, about one a second.
 */

/** Packets that a loss ratio needs (kLimitNumPackets). */
const minPackets = 20;
/** The ratio is kept in a byte. */
const ratioSteps = 256;
/** Up to this loss the rate rises (kDefaultLowLossThreshold), above this it falls (kDefaultHighLossThreshold). */
const lowLossRatio = 0.02;
const highLossRatio = 0.1;
/** A rise starts from the lowest rate of this long (kBweIncreaseInterval), ms. */
const riseWindowMs = 1000;
const riseFactor = 1.08;
/** ... plus this, bit/s. */
const riseBps = 1000;
/** A fall is this share of the loss. */
const fallShare = 0.5;
/** Time between falls (kBweDecreaseInterval), to which the round trip is added, ms. */
const fallIntervalMs = 300;
/** A loss ratio older than this says nothing (1.2 x kMaxRtcpFeedbackInterval), ms. */
const staleMs = 6000;
/** While nothing is lost, the delay alone decides for so long after the first report (kStartPhase), ms. */
const startPhaseMs = 2000;

type LossRuleVerdict = { rateBps: number; fell: boolean };

export class LossRule {
  #firstReportMs: number | undefined;
  /** Of reports that were too small. */
  #lostPackets = 0;
  #expectedPackets = 0;
  #lossRatio = 0;
  #reportedMs = -Infinity;
  #fellSinceReport = false;
  /** Times and rates, both rising: the first is the lowest of the window. */
  #lowest: { atMs: number; rateBps: number }[] = [];

  /** Share of packets lost, by the last report that was large enough. */
  get lossRatio(): number {
    return this.#lossRatio;
  }

  isStartPhase(nowMs: number): boolean {
    return this.#firstReportMs === undefined || nowMs - this.#firstReportMs < startPhaseMs;
  }

  /** Takes what a report says; true where that gives a new ratio. */
  onReport(lostPackets: number, expectedPackets: number, nowMs: number): boolean {
    this.#firstReportMs ??= nowMs;
    this.#lostPackets += lostPackets;
    this.#expectedPackets += expectedPackets;
    if (this.#expectedPackets < minPackets) return false;
    this.#lossRatio =
      Math.min(Math.floor((Math.max(this.#lostPackets, 0) * ratioSteps) / this.#expectedPackets), ratioSteps - 1) /
      ratioSteps;
    this.#reportedMs = nowMs;
    this.#fellSinceReport = false;
    this.#lostPackets = 0;
    this.#expectedPackets = 0;
    return true;
  }

  /** Remembers the rate for later rises. */
  remember(rateBps: number, nowMs: number): void {
    this.#lowest = this.#lowest.filter(({ atMs }) => nowMs - atMs + 1 <= riseWindowMs);
    while (this.#lowest.length > 0 && rateBps <= this.#lowest.at(-1)!.rateBps) this.#lowest.pop();
    this.#lowest.push({ atMs: nowMs, rateBps });
  }

  /** Forgets the rates so far: the next rise starts from `rateBps`, where that is given. */
  forget(nowMs: number, rateBps?: number): void {
    this.#lowest = rateBps === undefined ? [] : [{ atMs: nowMs, rateBps }];
  }

  /** What the rule makes of a rate; undefined where it leaves it. `decreasedMs` is when the rate last fell. */
  apply(rateBps: number, rttMs: number, decreasedMs: number, nowMs: number): LossRuleVerdict | undefined {
    if (nowMs - this.#reportedMs >= staleMs) return undefined;
    if (this.#lossRatio <= lowLossRatio) {
      return { rateBps: (this.#lowest[0]?.rateBps ?? rateBps) * riseFactor + riseBps, fell: false };
    }
    if (this.#lossRatio <= highLossRatio || this.#fellSinceReport || nowMs - decreasedMs < fallIntervalMs + rttMs)
      return undefined;
    this.#fellSinceReport = true;
    return { rateBps: rateBps * (1 - fallShare * this.#lossRatio), fell: true };
  }
}
