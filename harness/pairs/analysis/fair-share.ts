/**
 * Max-min fair shares of a bottleneck among services that can each take so much and no more, by water-filling (Bertsekas and
 * Gallager, "Data Networks", section 6.5.2; Philip et al., SIGCOMM 2024, section 2). For two services it is the paper's rule:
 * half the link each, or what one can take, the other the rest.
 */

/** What each of the services is due, bit/s, in the order of `capsBps`; a cap that is null has no bound. */
export function maxMinFairBps(capacityBps: number, capsBps: readonly (number | null)[]): number[] {
  const due = capsBps.map(() => 0);
  let left = capacityBps;
  let open = capsBps.map((_, k) => k);
  while (open.length > 0) {
    const level = left / open.length;
    const satisfied = open.filter(k => (capsBps[k] ?? Infinity) <= level);
    if (satisfied.length === 0) {
      for (const k of open) due[k] = level;
      break;
    }
    for (const k of satisfied) {
      due[k] = capsBps[k]!;
      left -= capsBps[k]!;
    }
    open = open.filter(k => !satisfied.includes(k));
  }
  return due;
}

/** What a service got of what it was due, 1 = its fair share; null where it was due nothing. */
export function shareRatio(gotBps: number, dueBps: number): number | null {
  return dueBps > 0 ? gotBps / dueBps : null;
}
