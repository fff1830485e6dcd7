/**
 * The loss-based estimate, second version. The estimate is the candidate bandwidth that best explains the observed
 * losses. After losses the growth of the estimate is limited.
 *
 * Source: libwebrtc 2026-08, goog_cc/loss_based_bwe_v2.cc with its default configuration. Names in brackets are from
 * that configuration. Options that are off by default (acceleration of the ramp-up, upper-bound candidate in ALR,
 * smoothed sending rate, packet instead of byte loss) are left out.
 */
import { lowestBps } from './aimd.ts';
import {
  type Channel,
  feasibleInherentLoss,
  firstInherentLossRatio,
  fitInherentLoss,
  objective,
} from './loss-model.ts';
import { LossObservations, type ReportedPacket } from './loss-observations.ts';

/**
 * Quantity that limits the rate. 'delay-based': the delay. 'increasing': losses, with a rising estimate that padding
 * supports. 'decreasing': losses, without a rise.
 */
export type LossState = 'delay-based' | 'increasing' | 'decreasing';

/** Number of observations needed before the estimate is used (MinNumObservations). */
const minObservations = 3;
/** Candidate bandwidths as multiples of the current estimate (CandidateFactors). */
const candidateFactors = [1.02, 1, 0.95];
/** Average loss ratio above which the instant upper bound applies to the estimate (InstantUpperBoundLossOffset). */
const instantLossOffset = 0.05;
/**
 * Instant upper bound times the excess of the average loss ratio over `instantLossOffset` (InstantUpperBoundBwBalance),
 * bit/s.
 */
const instantBalanceBps = 100e3;
/**
 * Limit of the estimate after losses outside of a hold, as a multiple of the acked bitrate (BwRampupUpperBoundFactor).
 */
const rampupFactor = 1.5;
/**
 * Limit of the estimate during a hold, as a multiple of the acked bitrate (BwRampupUpperBoundInHoldFactor). This limit
 * applies while the acked bitrate is below `holdThreshold` times the hold rate (BwRampupUpperBoundHoldThreshold).
 */
const rampupFactorInHold = 1.2;
const holdThreshold = 1.3;
/** Largest growth factor (MaxIncreaseFactor) within a window, and length of the window (DelayedIncreaseWindow, ms). */
const growthFactor = 1.3;
const growthWindowMs = 300;
/**
 * Duration of the first hold, ms; factor for each further hold (HoldDurationFactor); duration of the longest hold, ms.
 */
const firstHoldMs = 300;
const holdFactor = 2;
const maxHoldMs = 60e3;
/** Time without an increase after which padding ends (PaddingDuration), ms. */
const paddingMs = 2000;

/** A hold: limit of the rate for some time after losses. Times are send times of packets. */
type Hold = { untilMs: number; nextMs: number; rateBps: number };
const noHold: Hold = { untilMs: -Infinity, nextMs: firstHoldMs, rateBps: Infinity };
type Padding = { startMs: number; rateBps: number };
const noPadding: Padding = { startMs: -Infinity, rateBps: -Infinity };

export class LossBasedEstimate {
  readonly #observations = new LossObservations();
  #channel: Channel | undefined;
  #state: LossState = 'delay-based';
  #rateBps = 0;
  #minBps = lowestBps;
  #maxBps = Infinity;
  #delayBps = Infinity;
  #ackedBps: number | undefined;
  #hold = noHold;
  #padding = noPadding;
  /** Start of the growth window, and highest estimate in this window. */
  #windowStartMs = -Infinity;
  #windowLimitBps = Infinity;

  /** True if there are enough observations to use `rateBps`. */
  get isReady(): boolean {
    return this.#channel !== undefined && this.#observations.count >= minObservations;
  }

  get rateBps(): number {
    return this.#rateBps;
  }

  get state(): LossState {
    return this.#state;
  }

  get averageLossRatio(): number {
    return this.#observations.averageLossRatio;
  }

  get inherentLossRatio(): number {
    return this.#channel?.inherentLossRatio ?? firstInherentLossRatio;
  }

  setLimits(minBps: number, maxBps: number): void {
    this.#minBps = minBps;
    this.#maxBps = maxBps;
  }

  setAckedBps(ackedBps: number): void {
    this.#ackedBps = ackedBps;
  }

  /**
   * Takes the packets of one feedback message. `delayBps`: the delay-based estimate, Infinity before its first value.
   */
  update(packets: readonly ReportedPacket[], delayBps: number, inAlr: boolean): void {
    this.#delayBps = delayBps;
    if (!this.#observations.add(packets)) return;
    if (this.#channel === undefined) {
      if (delayBps === Infinity) return;
      this.#channel = { bandwidthBps: delayBps, inherentLossRatio: firstInherentLossRatio };
      this.#rateBps = delayBps;
    }
    const best = this.#limitGrowth(this.#channel, this.#bestCandidate(this.#channel, inAlr));
    const boundedBps = Math.max(this.#lowerBoundBps(), Math.min(best.bandwidthBps, this.#upperBoundBps(), delayBps));
    this.#channel =
      boundedBps < best.bandwidthBps
        ? { bandwidthBps: boundedBps, inherentLossRatio: 0 }
        : { ...best, bandwidthBps: Math.max(best.bandwidthBps, this.#lowerBoundBps()) };

    const nowMs = this.#observations.endMs;
    const isBelowDelay = boundedBps < delayBps;
    if (this.#state === 'decreasing' && this.#hold.untilMs > nowMs && isBelowDelay) {
      this.#hold = { ...this.#hold, rateBps: Math.max(this.#lowerBoundBps(), this.#hold.rateBps) };
      this.#rateBps = Math.min(this.#hold.rateBps, boundedBps);
      return;
    }
    this.#move(boundedBps, isBelowDelay && boundedBps < this.#maxBps, nowMs);
    this.#rateBps = boundedBps;
    if (this.#state !== 'delay-based' && this.#windowStartMs + growthWindowMs < nowMs) {
      this.#windowLimitBps = Math.max(lowestBps, this.#channel.bandwidthBps * growthFactor);
      this.#windowStartMs = nowMs;
    }
  }

  /** Sets the state that follows from the new estimate, and starts or ends hold and padding. */
  #move(boundedBps: number, isLossLimited: boolean, nowMs: number): void {
    if (isLossLimited && this.#isIncrease(this.#rateBps, boundedBps) && this.#mayKeepIncreasing(boundedBps, nowMs)) {
      if (boundedBps > this.#padding.rateBps) this.#padding = { startMs: nowMs, rateBps: boundedBps };
      this.#state = 'increasing';
    } else if (isLossLimited) {
      if (this.#state !== 'decreasing') {
        const { nextMs } = this.#hold;
        this.#hold = { untilMs: nowMs + nextMs, nextMs: Math.min(maxHoldMs, nextMs * holdFactor), rateBps: boundedBps };
      }
      this.#padding = noPadding;
      this.#state = 'decreasing';
    } else {
      this.#hold = noHold;
      this.#padding = noPadding;
      this.#state = 'delay-based';
    }
  }

  #bestCandidate(channel: Channel, inAlr: boolean): Channel {
    let best = channel;
    let most = -Infinity;
    for (const bandwidthBps of this.#candidates(channel.bandwidthBps, inAlr)) {
      const candidate = fitInherentLoss(
        {
          bandwidthBps,
          inherentLossRatio: feasibleInherentLoss(channel.inherentLossRatio, bandwidthBps),
        },
        this.#observations,
      );
      const value = objective(candidate, this.#observations);
      if (value > most || (value === most && bandwidthBps > best.bandwidthBps)) {
        most = value;
        best = candidate;
      }
    }
    return best;
  }

  #candidates(presentBps: number, inAlr: boolean): number[] {
    const rates = candidateFactors.map(factor => factor * presentBps);
    const padded = this.#padding.startMs + paddingMs >= this.#observations.endMs;
    if (this.#ackedBps !== undefined && (!inAlr || padded)) rates.push(this.#ackedBps);
    if (this.#delayBps !== Infinity && this.#delayBps > presentBps) rates.push(this.#delayBps);
    const most = Math.max(
      presentBps,
      this.#state !== 'delay-based' && this.#windowLimitBps !== Infinity ? this.#windowLimitBps : this.#maxBps,
    );
    return rates.map(rate => Math.min(rate, most));
  }

  #limitGrowth(present: Channel, best: Channel): Channel {
    let { bandwidthBps } = best;
    if (this.#observations.averageLossRatio > best.inherentLossRatio)
      bandwidthBps = Math.min(bandwidthBps, present.bandwidthBps);
    if (this.#state === 'delay-based') return { ...best, bandwidthBps };
    if (this.#windowStartMs + growthWindowMs > this.#observations.endMs)
      bandwidthBps = Math.min(bandwidthBps, this.#windowLimitBps);
    if (this.#ackedBps !== undefined && this.#isIncrease(present.bandwidthBps, bandwidthBps)) {
      const inHold = this.#hold.rateBps !== Infinity && this.#ackedBps < holdThreshold * this.#hold.rateBps;
      const factor = inHold ? rampupFactorInHold : rampupFactor;
      bandwidthBps = Math.max(present.bandwidthBps, Math.min(bandwidthBps, factor * this.#ackedBps));
      // One bit/s more turns this into an increase, which starts the padding.
      if (this.#state === 'decreasing' && bandwidthBps === present.bandwidthBps) bandwidthBps++;
    }
    return { ...best, bandwidthBps };
  }

  /** True if the estimate rises, and in state "increasing" also if it is unchanged. */
  #isIncrease(fromBps: number, toBps: number): boolean {
    return this.#state !== 'delay-based' && (fromBps < toBps || (fromBps === toBps && this.#state === 'increasing'));
  }

  #mayKeepIncreasing(boundedBps: number, nowMs: number): boolean {
    return (
      this.#state !== 'increasing' || this.#padding.startMs + paddingMs >= nowMs || this.#padding.rateBps < boundedBps
    );
  }

  #upperBoundBps(): number {
    const excess = this.#observations.averageLossRatio - instantLossOffset;
    return excess > 0 ? instantBalanceBps / excess : this.#maxBps;
  }

  #lowerBoundBps(): number {
    return Math.max(this.#ackedBps ?? 0, this.#minBps);
  }
}
