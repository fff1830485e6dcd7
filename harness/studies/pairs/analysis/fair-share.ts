/**
 * Fair share of each service at a bottleneck, and the part of it that the service got (Philip et al., SIGCOMM 2024,
 * section 2).
 */
import { maxMinParts } from '../../../../core/stats/fair-share.ts';

/**
 * Returns the max-min fair shares, bit/s, in the order of `capsBps`. A null cap is unlimited. For two services this is
 * the paper's rule: half of the link each; if one can use less, the other gets the rest.
 */
export function maxMinFairBps(capacityBps: number, capsBps: readonly (number | null)[]): number[] {
  return maxMinParts(
    capacityBps,
    capsBps.map(cap => cap ?? Infinity),
  );
}

/** Returns the throughput as a ratio of the fair share, 1 = fair. Null if the fair share is 0. */
export function shareRatio(gotBps: number, dueBps: number): number | null {
  return dueBps > 0 ? gotBps / dueBps : null;
}
