/**
 * Returns findings about stops of a link (shaper/queue-log/stops.ts). The machine causes these stops, but the viewer
 * cannot distinguish them from a pause of the emulated link.
 */
import { hostLimits as limits } from '../../core/vocabulary/host-limits.ts';
import type { Finding, QueueLogReading } from '../record/trial-file.ts';
import { judge } from './verdict.ts';

export function linkStopFindings(stops: NonNullable<QueueLogReading['stops']>, windowMs: number): Finding[] {
  return stops.flatMap(({ direction, longestMs, sumMs }) => {
    const name = direction === 'up' ? 'the link from the clients' : 'the link';
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
