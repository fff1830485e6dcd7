/**
 * Rates of a link whose schedule changes them in steps or ramps. Times are in ms after the start of the window. Before
 * the window the link has its first rate.
 */
import type { Link } from './link.ts';

type Scheduled = Pick<Link, 'rateBps' | 'schedule'>;
type Point = { atMs: number; rateBps: number };

/**
 * Returns the corner points of the rate over time. The rate is linear between them; a step is two points at the same
 * time.
 */
function corners({ rateBps, schedule }: Scheduled, fromMs: number, toMs: number): Point[] {
  const points: Point[] = [{ atMs: Math.min(0, fromMs), rateBps }];
  for (const { atMs, rateBps: to, rampMs } of schedule)
    points.push({ atMs, rateBps: points.at(-1)!.rateBps }, { atMs: atMs + rampMs, rateBps: to });
  return [...points, { atMs: Math.max(toMs, points.at(-1)!.atMs), rateBps: points.at(-1)!.rateBps }];
}

/** Returns the linear sections of the rate within [fromMs, toMs]. */
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

/** Returns the mean rate over a non-empty interval, bit/s. */
export function meanRateBps(link: Scheduled, fromMs: number, toMs: number): number {
  return (
    stretches(link, fromMs, toMs).reduce(
      (sum, { from, to }) => sum + ((from.rateBps + to.rateBps) / 2) * (to.atMs - from.atMs),
      0,
    ) /
    (toMs - fromMs)
  );
}

/** Returns the highest rate within [fromMs, toMs], bit/s. */
export function highestRateBps(link: Scheduled, fromMs: number, toMs: number): number {
  return Math.max(...stretches(link, fromMs, toMs).flatMap(({ from, to }) => [from.rateBps, to.rateBps]));
}
