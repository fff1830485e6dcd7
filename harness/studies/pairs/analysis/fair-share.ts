/**
 * Fair share of each service at a bottleneck, and the ratio of a service's throughput to its fair share (Philip et al.,
 * SIGCOMM 2024, section 2).
 */
import { maxMinParts } from '../../../../core/stats/fair-share.ts';

/**
 * Returns the max-min fair shares, bit/s, in the order of `capsBps`. A cap of null is no cap. For two services this is
 * the paper's rule: each gets half of the link, but if one can use only less, the other gets the rest.
 */
export function maxMinFairBps(capacityBps: number, capsBps: readonly (number | null)[]): number[] {
  return maxMinParts(
    capacityBps,
    capsBps.map(cap => cap ?? Infinity),
  );
}

/** Returns `gotBps` as a ratio of the fair share `dueBps`; 1 is fair. Null if the fair share is 0. */
export function shareRatio(gotBps: number, dueBps: number): number | null {
  return dueBps > 0 ? gotBps / dueBps : null;
}
