/**
 * Rate control by delay: additive or multiplicative increase, multiplicative decrease.
 *
 * Source: libwebrtc 2026-08, modules/remote_bitrate_estimator/aimd_rate_control.cc, with its defaults. Left out: a
 * first estimate from throughput (only used without a start rate), the remote network estimate, and "no increase in
 * ALR", which is off in libwebrtc.
 */
import { LinkCapacity } from './link-capacity.ts';
import type { Usage } from './trendline.ts';

/**
 * State of the rate control. There is no state for a decrease: a decrease takes one call, and the state is "hold"
 * afterwards.
 */
export type RateState = 'hold' | 'increase';

/** Round trip that is assumed before the first measurement (kDefaultRtt), ms. */
export const defaultRttMs = 200;
/** Lowest rate that GCC sets (kCongestionControllerMinBitrate), bit/s. */
export const lowestBps = 5e3;
/** Factor by which the rate grows per second while the link's capacity is unknown (alpha). */
const growthPerSecond = 1.08;
/** Smallest growth per call while the link's capacity is unknown, bit/s. */
const minGrowthBps = 1000;
/**
 * Factor of the acked bitrate (1.5) in the limit of growth: `ackedHeadroom` times the acked bitrate, plus
 * `ackedHeadroomBps`.
 */
const ackedHeadroom = 1.5;
/** Constant part of the limit of growth (10 kbps), so that low rates can grow, bit/s. */
const ackedHeadroomBps = 10e3;
/** Subtracted from the decreased rate if that rate is larger than this value, bit/s. */
const decreaseOffsetBps = 5e3;
/** Time that the detector needs to detect an over-use, ms. The response time is this time plus the round trip. */
const detectorDelayMs = 100;
/**
 * Frames per second and packet size, bytes, that are assumed near the link's capacity, where the rate grows by one
 * packet per response time.
 */
const assumedFrameRate = 30;
const assumedPacketBytes = 1200;
/** Smallest growth per second near the link's capacity, bit/s per second. */
const minAdditiveBpsPerS = 4000;
/** Limits of the time between two decreases, ms. Between the limits the time is the round trip. */
const minDecreaseIntervalMs = 10;
const maxDecreaseIntervalMs = 200;
/** Share of the estimate. An acked bitrate below this share allows another decrease at once. */
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

  /** Sets the rate. Called with a probe's result, or with half of an over-used start rate. */
  setRateBps(rateBps: number, nowMs: number): void {
    this.#rateBps = Math.max(rateBps, this.#minBps);
    this.#changedMs = nowMs;
  }

  /** True if an over-use is allowed to lower the rate now. */
  mayDecrease(ackedBps: number, nowMs: number): boolean {
    const intervalMs = Math.min(Math.max(this.#rttMs, minDecreaseIntervalMs), maxDecreaseIntervalMs);
    return nowMs - this.#changedMs >= intervalMs || ackedBps < collapseRatio * this.#rateBps;
  }

  /** Takes the detector's state and the acked bitrate (undefined if unknown); returns the new rate. */
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

  /** Returns the growth near the link's capacity, bit/s per second. */
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
