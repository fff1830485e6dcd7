/**
 * Decides when to probe, and at which rate. Probes are sent at the start, after a good probe result, after a drop of
 * the estimate, when the highest rate of the media rises, and optionally at intervals while the encoder uses much less
 * than the estimate.
 *
 * Source: libwebrtc 2026-08, goog_cc/probe_controller.cc with its default configuration. Left out: repeated initial
 * probing and everything that needs a remote network estimate, both off by default; and the cap of 1.5 x the estimate
 * while the loss estimate rises without padding, a state that the default configuration never enters.
 */
import type { Probe } from '../controller.ts';

/**
 * Reason why the estimate is not higher. Probes are sent only for 'delay-based': a delay-based estimate while the delay
 * is steady.
 */
export type RateLimit = 'delay-based' | 'delay-changing' | 'loss' | 'rtt';

type ProbeState = 'init' | 'waiting' | 'complete';

type ProbeOptions = {
  /**
   * Highest rate of any probe, bit/s. Infinity leaves only the other limit, which is twice the highest rate of the
   * media.
   */
  ceilingBps: number;
  /** True if probes are sent at intervals in application-limited regions. */
  periodicInAlr: boolean;
};

/** Rates of the first probes, as multiples of the start rate (first/second_exponential_probe_scale). */
const initialScales = [3, 6];
/**
 * Share of the last probe's rate that the estimate must exceed for a further probe (further_probe_threshold); and rate
 * of the further probe as a multiple of the estimate (step_size).
 */
const furtherThreshold = 0.7;
const furtherScale = 2;
/**
 * Rates of the probes after the highest rate of the media has risen, as multiples of this highest rate (alloc_p1,
 * alloc_p2).
 */
const allocationScales = [1, 2];
/** Limit of the probes after such a rise, as a multiple of the estimate (alloc_current_bwe_limit). */
const allocationLimitScale = 2;
/** Limit of every probe as a multiple of the highest rate of the media. */
const allocationCapScale = 2;
/**
 * Probes in an application-limited region: rate as a multiple of the estimate (alr_scale), and interval (alr_interval,
 * ms).
 */
const alrScale = 2;
const alrIntervalMs = 5000;
/**
 * Share of the old estimate below which a new estimate counts as a drop (kBitrateDropThreshold), and time after a drop
 * in which a recovery causes a probe (kBitrateDropTimeout, ms).
 */
const dropThreshold = 0.66;
const dropTimeoutMs = 5000;
/**
 * Rate of the probe after a drop, as a share of the estimate before the drop (kProbeFractionAfterDrop); and smallest
 * share by which this rate must exceed the current estimate (kProbeUncertainty).
 */
const dropProbeScale = 0.85;
const uncertainty = 0.05;
/**
 * Shortest time between two probes after drops, ms (kMinTimeBetweenAlrProbes); and longest time after an
 * application-limited region in which they are sent, ms (kAlrEndedTimeout).
 */
const dropProbeIntervalMs = 5000;
const alrEndedTimeoutMs = 3000;
/** Longest wait for the result of a probe (kMaxWaitingTimeForProbingResult), ms. */
const maxWaitMs = 1000;
/**
 * Smallest number of packets of a cluster (min_probe_packets_sent); and its shortest duration (min_probe_duration, ms),
 * from which the number of bytes follows.
 */
const minPackets = 5;
const minDurationMs = 15;

export class ProbeController {
  readonly #options: ProbeOptions;
  #state: ProbeState = 'init';
  #nextId = 1;
  #estimateBps = 0;
  /** Highest rate that the media can use, bit/s. */
  #allocatedBps = 0;
  #limit: RateLimit = 'delay-based';
  /** Estimate above which a further probe is sent; Infinity if no further probe is expected. */
  #furtherAboveBps = Infinity;
  #probedMs = -Infinity;
  #alrStartMs: number | undefined;
  #alrEndMs = -Infinity;
  #dropMs = -Infinity;
  #beforeDropBps = 0;
  #dropProbedMs = -Infinity;

  constructor(options: ProbeOptions) {
    this.#options = options;
  }

  get state(): ProbeState {
    return this.#state;
  }

  start(startBps: number, allocatedBps: number, nowMs: number): Probe[] {
    this.#estimateBps = startBps;
    this.#allocatedBps = allocatedBps;
    return this.#probe(
      initialScales.map(scale => scale * startBps),
      true,
      nowMs,
    );
  }

  /** Sets the highest rate of the media; returns the probes to send. */
  setAllocated(allocatedBps: number, nowMs: number): Probe[] {
    const before = this.#allocatedBps;
    this.#allocatedBps = allocatedBps;
    const mayProbe =
      this.#state === 'complete' &&
      allocatedBps > before &&
      this.#estimateBps < this.#options.ceilingBps &&
      this.#estimateBps < allocatedBps;
    if (!mayProbe) return [];
    const limitBps = allocationLimitScale * this.#estimateBps;
    const rates: number[] = [];
    let limited = false;
    for (const scale of allocationScales) {
      if (limited) break;
      limited = limitBps < scale * allocatedBps;
      const rateBps = Math.min(scale * allocatedBps, limitBps);
      if (rateBps > (rates.at(-1) ?? 0)) rates.push(rateBps);
    }
    return this.#probe(rates, limited, nowMs);
  }

  /** Sets the estimate and the reason for its limit; returns the probes to send. */
  setEstimate(estimateBps: number, limit: RateLimit, nowMs: number): Probe[] {
    this.#limit = limit;
    if (estimateBps < dropThreshold * this.#estimateBps) {
      this.#dropMs = nowMs;
      this.#beforeDropBps = this.#estimateBps;
    }
    this.#estimateBps = estimateBps;
    if (this.#state !== 'waiting' || estimateBps <= this.#furtherAboveBps) return [];
    return this.#probe([furtherScale * estimateBps], true, nowMs);
  }

  setAlrStart(startMs: number | undefined): void {
    this.#alrStartMs = startMs;
  }

  setAlrEnd(endMs: number): void {
    this.#alrEndMs = endMs;
  }

  /** Called when the queue is empty again after an over-use; returns the probes to send. */
  onRecovered(nowMs: number): Probe[] {
    const nearAlr = this.#alrStartMs !== undefined || nowMs - this.#alrEndMs < alrEndedTimeoutMs;
    if (!nearAlr || this.#state !== 'complete') return [];
    const rateBps = dropProbeScale * this.#beforeDropBps;
    const isWorthIt = (1 - uncertainty) * rateBps > this.#estimateBps;
    if (!isWorthIt || nowMs - this.#dropMs >= dropTimeoutMs || nowMs - this.#dropProbedMs <= dropProbeIntervalMs)
      return [];
    this.#dropProbedMs = nowMs;
    return this.#probe([rateBps], false, nowMs);
  }

  onTick(nowMs: number): Probe[] {
    if (this.#state === 'waiting' && nowMs - this.#probedMs > maxWaitMs) this.#complete();
    if (this.#state !== 'complete' || !this.#options.periodicInAlr || this.#alrStartMs === undefined) return [];
    if (nowMs < Math.max(this.#alrStartMs, this.#probedMs) + alrIntervalMs) return [];
    return this.#probe([alrScale * this.#estimateBps], true, nowMs);
  }

  #complete(): void {
    this.#state = 'complete';
    this.#furtherAboveBps = Infinity;
  }

  #probe(ratesBps: readonly number[], further: boolean, nowMs: number): Probe[] {
    if (this.#limit !== 'delay-based') return [];
    const mostBps = Math.min(this.#options.ceilingBps, allocationCapScale * this.#allocatedBps);
    const probes = ratesBps.map((rateBps): Probe => {
      const cappedBps = Math.min(rateBps, mostBps);
      return {
        id: this.#nextId++,
        rateBps: cappedBps,
        minPackets,
        minBytes: Math.ceil((cappedBps / 8000) * minDurationMs),
      };
    });
    this.#probedMs = nowMs;
    if (further && ratesBps.every(rateBps => rateBps < mostBps)) {
      this.#state = 'waiting';
      this.#furtherAboveBps = furtherThreshold * probes.at(-1)!.rateBps;
    } else {
      this.#complete();
    }
    return probes;
  }
}
