/**
 * Rates of a link whose schedule changes the rate in steps or ramps. Times are in ms after the start of the window.
 * Before the window the link has its first rate.
 */
import type { Link } from './link.ts';

type Scheduled = Pick<Link, 'rateBps' | 'schedule'>;
type Point = { atMs: number; rateBps: number };

/** Returns the points between which the rate is linear over time. A step is two points with the same time. */
function corners({ rateBps, schedule }: Scheduled, fromMs: number, toMs: number): Point[] {
  const points: Point[] = [{ atMs: Math.min(0, fromMs), rateBps }];
  for (const { atMs, rateBps: to, rampMs } of schedule)
    points.push({ atMs, rateBps: points.at(-1)!.rateBps }, { atMs: atMs + rampMs, rateBps: to });
  return [...points, { atMs: Math.max(toMs, points.at(-1)!.atMs), rateBps: points.at(-1)!.rateBps }];
}

/**
 * Returns the parts of [fromMs, toMs] in which the rate is linear, with the rate at the start and the end of each part.
 */
function stretches(link: Scheduled, fromMs: number, toMs: number): { from: Point; to: Point }[] {
  const points = corners(link, fromMs, toMs);
  return points.slice(1).flatMap((end, i) => {
    const begin = points[i]!;
    const [atMs, endMs] = [Math.max(begin.atMs, fromMs), Math.min(end.atMs, toMs)];
    if (endMs < atMs) return [];
    const slope = end.atMs === begin.atMs ? 0 : (end.rateBps - begin.rateBps) / (end.atMs - begin.atMs);
    const at = (timeMs: number): Point => ({ atMs: timeMs, rateBps: begin.rateBps + slope * (timeMs - begin.atMs) });
    return [{ from: at(atMs), to: end.atMs === begin.atMs ? end : at(endMs) }];
  });
}

/** Returns the mean rate from `fromMs` to `toMs`, bit/s. `toMs` must be later than `fromMs`. */
export function meanRateBps(link: Scheduled, fromMs: number, toMs: number): number {
  return (
    stretches(link, fromMs, toMs).reduce(
      (sum, { from, to }) => sum + ((from.rateBps + to.rateBps) / 2) * (to.atMs - from.atMs),
      0,
    ) /
    (toMs - fromMs)
  );
}

/** Returns the highest rate from `fromMs` to `toMs`, bit/s. */
export function highestRateBps(link: Scheduled, fromMs: number, toMs: number): number {
  return Math.max(...stretches(link, fromMs, toMs).flatMap(({ from, to }) => [from.rateBps, to.rateBps]));
}
