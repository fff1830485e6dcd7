/** Measured lengths of parts of a study. They are used for estimates only. */

/** Milliseconds of a trial outside its window and start-up: set-up of the link, start of the browser, and teardown. */
export const overheadMs = 2500;
/**
 * Milliseconds of a pair's trial outside warm-up, window and cool-down: starting two services with browsers and
 * servers, and reading the log of all packets.
 */
export const pairOverheadMs = 12_000;
/**
 * Milliseconds to test a bottleneck. Probes take longer on a slow bottleneck, so `slowProof` (ms x bit/s) divided by
 * its rate in bit/s is added.
 */
const proofMs = 9000;
const slowProof = 3e9;

/** Returns the milliseconds to test a link: the sum over its directions with a bottleneck. */
export function preflightMs({ rateBps, up }: { rateBps: number; up: { rateBps: number } | null }): number {
  return [rateBps, ...(up === null ? [] : [up.rateBps])].reduce((sum, bps) => sum + proofMs + slowProof / bps, 0);
}
