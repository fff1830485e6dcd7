/**
 * Returns findings about stops of a link (shaper/queue-log/stops.ts). The machine causes these stops, but the viewer
 * cannot distinguish them from a pause of the emulated link.
 */

import { bottleneckName } from '../../core/vocabulary/hops.ts';
import { hostLimits as limits } from '../../core/vocabulary/host-limits.ts';
import type { Finding, QueueLogReading } from '../record/trial-file.ts';
import { judge } from './verdict.ts';

/** `at`: place of the bottleneck in the row, see `bottleneckName`. */
export function linkStopFindings(
  stops: NonNullable<QueueLogReading['stops']>,
  windowMs: number,
  at: { hop?: number } = {},
): Finding[] {
  return stops.flatMap(({ direction, longestMs, sumMs }) => {
    const name = bottleneckName({ ...at, ...(direction === undefined ? {} : { direction }) });
    return [
      ...judge(longestMs, limits.linkStopMs, v => `${name} stood still for ${Math.round(v)} ms`),
      ...judge(
        sumMs / windowMs,
        limits.linkStoppedShare,
        v => `${name} stood still for ${(v * 100).toFixed(1)} % of the window`,
      ),
    ];
  });
}
