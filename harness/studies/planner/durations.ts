/** How long parts of a study take. Measured, and for estimates only. */

/** A trial beside its window and its start-up: link, browser, teardown, ms. */
export const overheadMs = 2500;
/**
 * The same of a pair beside its warm-up, window and cool-down: two services with browsers and servers of their own, and
 * the log of minutes of packets to be read, ms.
 */
export const pairOverheadMs = 12_000;
/** A bottleneck to be proved, ms; the slower it is, the longer its probes take: so much more, over its rate, ms x bit/s. */
const proofMs = 9000;
const slowProof = 3e9;

/** A link to be proved, in each direction that has a bottleneck, ms. */
export function preflightMs({ rateBps, up }: { rateBps: number; up: { rateBps: number } | null }): number {
  return [rateBps, ...(up === null ? [] : [up.rateBps])].reduce((sum, bps) => sum + proofMs + slowProof / bps, 0);
}
