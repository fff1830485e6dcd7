/**
 * The rate the delay allows: additive or multiplicative increase, multiplicative decrease.
 *
 * Source: libwebrtc 2026-08, modules/remote_bitrate_estimator/aimd_rate_control.cc, with its defaults.
 * Left out: a first estimate from throughput (only used without a start rate), the remote network
 * estimate, and "no increase in ALR", which is off there.
 */
import { LinkCapacity } from './link-capacity.ts';
import type { Usage } from './trendline.ts';

/** A decrease is over within one call and leaves the state at "hold". */
export type RateState = 'hold' | 'increase';

/** Round trip before one is known (kDefaultRtt), ms. */
export const defaultRttMs = 200;
/** Lowest rate of the whole controller (kCongestionControllerMinBitrate), bit/s. */
export const lowestBps = 5e3;
/** Growth per second far from the link's capacity (alpha). */
const growthPerSecond = 1.08;
/** ... and its least step per call, bit/s. */
const minGrowthBps = 1000;
/** No growth above this share of the acked bitrate ... (1.5) */
const ackedHeadroom = 1.5;
/** ... plus this, so that low rates do not get stuck (10 kbps), bit/s. */
const ackedHeadroomBps = 10e3;
/** Taken off a decreased rate that is larger than it, bit/s. */
const decreaseOffsetBps = 5e3;
/** Time the detector needs to see an over-use, added to the round trip, ms. */
const detectorDelayMs = 100;
/**
 * Near the capacity the rate grows by one packet per response time; frames per second and packet size assumed for it.
 */
const assumedFrameRate = 30;
const assumedPacketBytes = 1200;
/** Least additive growth, bit/s per second. */
const minAdditiveBpsPerS = 4000;
/** Range of the time between two decreases, which is otherwise the round trip, ms. */
const minDecreaseIntervalMs = 10;
const maxDecreaseIntervalMs = 200;
/** Acked bitrate below this share of the estimate: decrease again at once. */
const collapseRatio = 0.5;

export class AimdRateControl {
  readonly #backoffRatio: number;
  readonly #capacity = new LinkCapacity();
  #rateBps: number;
  #minBps = lowestBps;
  #throughputBps: number;
  #state: RateState = 'hold';
  #rttMs = defaultRttMs;
  #changedMs = -Infinity;

  constructor(startBps: number, backoffRatio: number) {
    this.#rateBps = startBps;
    this.#throughputBps = startBps;
    this.#backoffRatio = backoffRatio;
  }

  get rateBps(): number {
    return this.#rateBps;
  }

  get state(): RateState {
    return this.#state;
  }

  get linkCapacityBps(): number | undefined {
    return this.#capacity.estimateBps;
  }

  setMinBps(minBps: number): void {
    this.#minBps = minBps;
    this.#rateBps = Math.max(this.#rateBps, minBps);
  }

  setRttMs(rttMs: number): void {
    this.#rttMs = rttMs;
  }

  /** Sets the rate from outside: a probe's result, or half of an over-used start rate. */
  setRateBps(rateBps: number, nowMs: number): void {
    this.#rateBps = Math.max(rateBps, this.#minBps);
    this.#changedMs = nowMs;
  }

  /** Whether an over-use may lower the rate now. */
  mayDecrease(ackedBps: number, nowMs: number): boolean {
    const intervalMs = Math.min(Math.max(this.#rttMs, minDecreaseIntervalMs), maxDecreaseIntervalMs);
    return nowMs - this.#changedMs >= intervalMs || ackedBps < collapseRatio * this.#rateBps;
  }

  /** Takes the detector's word and, where known, the acked bitrate; returns the rate. */
  update(usage: Usage, ackedBps: number | undefined, nowMs: number): number {
    if (ackedBps !== undefined) this.#throughputBps = ackedBps;
    if (usage === 'overuse') {
      this.#decrease();
      this.#state = 'hold';
      this.#changedMs = nowMs;
    } else if (usage === 'underuse') {
      this.#state = 'hold';
    } else {
      if (this.#state === 'hold') this.#changedMs = nowMs;
      this.#state = 'increase';
      this.#increase(nowMs);
      this.#changedMs = nowMs;
    }
    return this.#rateBps;
  }

  #increase(nowMs: number): void {
    if (this.#throughputBps > this.#capacity.upperBoundBps) this.#capacity.reset();
    const limitBps = ackedHeadroom * this.#throughputBps + ackedHeadroomBps;
    if (this.#rateBps < limitBps) {
      const elapsedS = (nowMs - this.#changedMs) / 1000;
      const growthBps =
        this.#capacity.estimateBps === undefined
          ? Math.max(this.#rateBps * (growthPerSecond ** Math.min(elapsedS, 1) - 1), minGrowthBps)
          : this.additiveBpsPerS() * elapsedS;
      this.#rateBps = Math.max(Math.min(this.#rateBps + growthBps, limitBps), this.#minBps);
    }
  }

  /** Growth near the link's capacity, bit/s per second. */
  additiveBpsPerS(): number {
    const frameBytes = this.#rateBps / 8 / assumedFrameRate;
    const packetBytes = frameBytes / Math.ceil(frameBytes / assumedPacketBytes);
    const responseS = (2 * (this.#rttMs + detectorDelayMs)) / 1000;
    return Math.max(minAdditiveBpsPerS, (packetBytes * 8) / responseS);
  }

  #decrease(): void {
    let rateBps = this.#throughputBps * this.#backoffRatio;
    if (rateBps > decreaseOffsetBps) rateBps -= decreaseOffsetBps;
    const capacityBps = this.#capacity.estimateBps;
    if (rateBps > this.#rateBps && capacityBps !== undefined) rateBps = this.#backoffRatio * capacityBps;
    this.#rateBps = Math.max(Math.min(rateBps, this.#rateBps), this.#minBps);
    if (this.#throughputBps < this.#capacity.lowerBoundBps) this.#capacity.reset();
    this.#capacity.onOveruse(this.#throughputBps);
  }
}
