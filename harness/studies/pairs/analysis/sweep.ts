/**
 * Shares of a pair at several bandwidths, and the test if they are monotonic (Philip et al., SIGCOMM 2024, observation
 * 12). They are not monotonic if the share rises between two bandwidths and falls between two others, both with
 * disjoint intervals.
 */
import type { Interval } from './stopping-rule.ts';

type SweepPoint = { rateBps: number; share: number; interval: Interval | null };

/** Returns a rise and a fall of the share, each with disjoint intervals. Undefined if no rise or no fall was found. */
export function nonMonotonic(
  points: readonly SweepPoint[],
): { rise: [SweepPoint, SweepPoint]; fall: [SweepPoint, SweepPoint] } | undefined {
  const known = points
    .filter((point): point is SweepPoint & { interval: Interval } => point.interval !== null)
    .sort((a, b) => a.rateBps - b.rateBps);
  let rise: [SweepPoint, SweepPoint] | undefined;
  let fall: [SweepPoint, SweepPoint] | undefined;
  for (const [k, lower] of known.entries()) {
    for (const higher of known.slice(k + 1)) {
      if (higher.interval.low > lower.interval.high) rise ??= [lower, higher];
      if (higher.interval.high < lower.interval.low) fall ??= [lower, higher];
    }
  }
  return rise === undefined || fall === undefined ? undefined : { rise, fall };
}
