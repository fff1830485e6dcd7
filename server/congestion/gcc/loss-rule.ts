/**
 * The older loss-based rule: the rate rises below 2 % of loss and falls above 10 %. GCC uses this rule until the loss
 * model has enough observations, and always if the model is switched off.
 *
 * Source: libwebrtc 2026-08, goog_cc/send_side_bandwidth_estimation.cc; draft-ietf-rmcat-gcc-02 section 6. Losses come
 * from RTCP receiver reports, about one per second.
 */

/** Smallest number of expected packets for a loss ratio (kLimitNumPackets). */
const minPackets = 20;
/** Number of steps of the loss ratio, which libwebrtc stores in a byte. */
const ratioSteps = 256;
/**
 * Largest loss ratio at which the rate rises (kDefaultLowLossThreshold), and loss ratio above which the rate falls
 * (kDefaultHighLossThreshold).
 */
const lowLossRatio = 0.02;
const highLossRatio = 0.1;
/** Length of the window whose lowest rate is the base of a rise (kBweIncreaseInterval), ms. */
const riseWindowMs = 1000;
const riseFactor = 1.08;
/** Constant that is added to the rate at each rise, bit/s. */
const riseBps = 1000;
/** Factor on the loss ratio that gives the relative fall of the rate. */
const fallShare = 0.5;
/** Time that must pass between two falls in addition to the round trip (kBweDecreaseInterval), ms. */
const fallIntervalMs = 300;
/** Age from which on a loss ratio is no longer used (1.2 x kMaxRtcpFeedbackInterval), ms. */
const staleMs = 6000;
/**
 * Duration of the start phase after the first report, ms. In this phase only the delay limits the rate, unless packets
 * are lost (kStartPhase).
 */
const startPhaseMs = 2000;

type LossRuleVerdict = { rateBps: number; fell: boolean };

export class LossRule {
  #firstReportMs: number | undefined;
  /** Sums over the reports since the last loss ratio: lost and expected packets. */
  #lostPackets = 0;
  #expectedPackets = 0;
  #lossRatio = 0;
  #reportedMs = -Infinity;
  #fellSinceReport = false;
  /** Recorded rates in the window with their times, both ascending; the first rate is the lowest. */
  #lowest: { atMs: number; rateBps: number }[] = [];

  /** Newest share of lost packets, computed from at least `minPackets` packets. */
  get lossRatio(): number {
    return this.#lossRatio;
  }

  isStartPhase(nowMs: number): boolean {
    return this.#firstReportMs === undefined || nowMs - this.#firstReportMs < startPhaseMs;
  }

  /** Takes the losses of a report. Returns true if the packets suffice for a new loss ratio. */
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

  /** Records the rate. The lowest recorded rate is the base of later rises. */
  remember(rateBps: number, nowMs: number): void {
    this.#lowest = this.#lowest.filter(({ atMs }) => nowMs - atMs + 1 <= riseWindowMs);
    while (this.#lowest.length > 0 && rateBps <= this.#lowest.at(-1)!.rateBps) this.#lowest.pop();
    this.#lowest.push({ atMs: nowMs, rateBps });
  }

  /** Forgets the recorded rates. The next rise starts from `rateBps` if given, else from the current rate. */
  forget(nowMs: number, rateBps?: number): void {
    this.#lowest = rateBps === undefined ? [] : [{ atMs: nowMs, rateBps }];
  }

  /** Returns the new rate, or undefined if the rate does not change. `decreasedMs`: time of the last decrease. */
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
