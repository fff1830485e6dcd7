/** Estimated lengths of parts of a study. They are measured and used for estimates only. */

/** Milliseconds of a trial outside its window and start-up: link, browser, teardown. */
export const overheadMs = 2500;
/**
 * Milliseconds of a pair's trial outside its warm-up, window and cool-down: two services with browsers and servers, and
 * the log of all packets to read.
 */
export const pairOverheadMs = 12_000;
/**
 * Milliseconds to test a bottleneck. Probes take longer on a slow one: `slowProof` divided by its rate is added, ms x
 * bit/s.
 */
const proofMs = 9000;
const slowProof = 3e9;

/** Returns the milliseconds to test a link, in each direction that has a bottleneck. */
export function preflightMs({ rateBps, up }: { rateBps: number; up: { rateBps: number } | null }): number {
  return [rateBps, ...(up === null ? [] : [up.rateBps])].reduce((sum, bps) => sum + proofMs + slowProof / bps, 0);
}
