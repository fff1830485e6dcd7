/**
 * The target rate of GCC before the constraints: the delay-based estimate, lowered because of losses and very long
 * round trips.
 *
 * Source: libwebrtc 2026-08, goog_cc/send_side_bandwidth_estimation.cc. Receiver-side limits (REMB) are left out,
 * because sessions of this sender negotiate transport feedback.
 */
import { lowestBps } from './aimd.ts';
import { LossBasedEstimate, type LossState } from './loss-based.ts';
import type { ReportedPacket } from './loss-observations.ts';
import { LossRule } from './loss-rule.ts';
import { RttGuard } from './rtt-guard.ts';

/** Highest rate that GCC sets (kDefaultMaxBitrate), bit/s. */
const highestBps = 1e9;

export class TargetRate {
  readonly #guard = new RttGuard();
  readonly #rule = new LossRule();
  /** Loss model; undefined if only the older loss rule is used. */
  readonly #model: LossBasedEstimate | undefined;
  #rateBps: number;
  #minBps = lowestBps;
  #delayBps = Infinity;
  #rttMs = 0;
  #decreasedMs = -Infinity;
  #lossState: LossState = 'delay-based';

  constructor(startBps: number, withLossModel: boolean) {
    this.#rateBps = startBps;
    this.#model = withLossModel ? new LossBasedEstimate() : undefined;
  }

  get rateBps(): number {
    return Math.max(this.#minBps, this.#rateBps);
  }

  get lossState(): LossState {
    return this.#lossState;
  }

  get lossRatio(): number {
    return this.#rule.lossRatio;
  }

  /** Average loss ratio and inherent loss ratio of the loss model; 0 without the model. */
  get modelLossRatio(): number {
    return this.#model?.averageLossRatio ?? 0;
  }

  get inherentLossRatio(): number {
    return this.#model?.inherentLossRatio ?? 0;
  }

  get isRttAboveLimit(): boolean {
    return this.#guard.isAboveLimit;
  }

  setMinBps(minBps: number): void {
    this.#minBps = Math.max(minBps, lowestBps);
    this.#model?.setLimits(this.#minBps, highestBps);
    this.#set(this.#rateBps);
  }

  /** Sets the round trip that RTCP reports have measured. */
  setRttMs(rttMs: number): void {
    this.#rttMs = rttMs;
  }

  setAckedBps(ackedBps: number): void {
    this.#model?.setAckedBps(ackedBps);
  }

  onSent(sentMs: number): void {
    this.#guard.onSent(sentMs);
  }

  onPropagationRtt(propagationMs: number, nowMs: number): void {
    this.#guard.onFeedback(propagationMs, nowMs);
  }

  /** Sets the rate to a probe's result at once, despite any limit so far. */
  setProbed(rateBps: number, nowMs: number): void {
    this.#delayBps = Infinity;
    this.#set(rateBps);
    this.#rule.forget(nowMs);
  }

  setDelayBased(rateBps: number): void {
    this.#delayBps = rateBps;
    this.#set(this.#rateBps);
  }

  /** Takes losses from RTCP reports, for the older loss rule. */
  onLossReport(lostPackets: number, expectedPackets: number, nowMs: number): void {
    if (this.#rule.onReport(lostPackets, expectedPackets, nowMs)) this.update(nowMs);
  }

  /** Takes losses from feedback, for the loss model. */
  onLosses(packets: readonly ReportedPacket[], inAlr: boolean, nowMs: number): void {
    this.#model?.update(packets, this.#delayBps, inAlr);
    this.update(nowMs);
  }

  /** Updates the rate. Called after feedback and at every tick. */
  update(nowMs: number): void {
    if (this.#guard.isAboveLimit) {
      const lowered = this.#guard.lower(this.#rateBps, this.#decreasedMs, nowMs);
      if (lowered !== undefined) this.#decreasedMs = nowMs;
      this.#set(lowered ?? this.#rateBps);
      return;
    }
    const modelReady = this.#model?.isReady === true;
    const trustsDelay = this.#rule.lossRatio === 0 && this.#rule.isStartPhase(nowMs) && !modelReady;
    if (trustsDelay && this.#delayBps !== Infinity && this.#delayBps > this.#rateBps) {
      this.#rule.forget(nowMs, this.#rateBps);
      this.#set(this.#delayBps);
      return;
    }
    this.#rule.remember(this.#rateBps, nowMs);
    if (modelReady) {
      this.#lossState = this.#model!.state;
      this.#set(this.#model!.rateBps);
      return;
    }
    const verdict = this.#rule.apply(this.#rateBps, this.#rttMs, this.#decreasedMs, nowMs);
    if (verdict?.fell) this.#decreasedMs = nowMs;
    this.#set(verdict?.rateBps ?? this.#rateBps);
  }

  #set(rateBps: number): void {
    this.#rateBps = Math.max(Math.min(rateBps, this.#delayBps, highestBps), this.#minBps);
  }
}
