/**
 * Shares over the bandwidth, and the pairs whose share does not go one way (Philip et al., SIGCOMM 2024, observation
 * 12): it rises from one bandwidth to a higher one and falls between others, each time by more than the intervals
 * allow.
 */
import type { Interval } from './stopping-rule.ts';

type SweepPoint = { rateBps: number; share: number; interval: Interval | null };

/** A rise and a fall that the intervals prove; undefined where there is none of the one or the other. */
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
