/**
 * The fair share of each service at a bottleneck, and how much of it the service got (Philip et al., SIGCOMM 2024,
 * section 2).
 */
import { maxMinParts } from '../../../../core/stats/fair-share.ts';

/**
 * Max-min fair parts, bit/s, in the order of `capsBps`; a cap that is null has no bound. For two services it is the
 * paper's rule: half the link each, or what one can take, the other the rest.
 */
export function maxMinFairBps(capacityBps: number, capsBps: readonly (number | null)[]): number[] {
  return maxMinParts(
    capacityBps,
    capsBps.map(cap => cap ?? Infinity),
  );
}

/** What a service got of what it was due, 1 = its fair share; null where it was due nothing. */
export function shareRatio(gotBps: number, dueBps: number): number | null {
  return dueBps > 0 ? gotBps / dueBps : null;
}
