/**
 * Times at which the bottleneck of an application stood still while packets waited, because the machine had stopped the
 * program or kernel part that forms the link (shaper/queue-log/stops.ts).
 */
import type { QueueLogReading } from '../../record/trial-file.ts';
import type { TrialRecord } from '../../record/trial-record.ts';
import { directionOf } from './queue-traffic.ts';

/**
 * Stop inside the window. `fromS` and `toS`: from the start of the window, cut to the window. `lengthMs`: length of the
 * whole stop.
 */
export type StopInWindow = { fromS: number; toS: number; lengthMs: number };

export type LinkStopsReading = NonNullable<QueueLogReading['stops']>[number];

/** Largest number of stops in the list. A chart could not show more stops separately. */
const mostStops = 500;

const inSeconds = (ms: number) => Number((ms / 1000).toFixed(4));

/** Returns the stops in chronological order. If there are more than `mostStops`, returns only the longest ones. */
export async function stopsInWindow(record: TrialRecord): Promise<StopInWindow[]> {
  const { startMs, endMs } = record.window;
  return (await record.linkStops())
    .filter(({ timeMs, lengthMs }) => timeMs < endMs && timeMs + lengthMs > startMs)
    .sort((a, b) => b.lengthMs - a.lengthMs)
    .slice(0, mostStops)
    .sort((a, b) => a.timeMs - b.timeMs)
    .map(({ timeMs, lengthMs }) => ({
      fromS: inSeconds(Math.max(0, timeMs - startMs)),
      toS: inSeconds(Math.min(endMs, timeMs + lengthMs) - startMs),
      lengthMs,
    }));
}

/** Returns the number and length of the stops. Null without a queue log, and for a link that follows a trace. */
export function linkStopsReading({
  file: { queueLog },
  application,
}: Pick<TrialRecord, 'file' | 'application'>): LinkStopsReading | null {
  return queueLog?.stops?.find(reading => directionOf(reading) === application.direction) ?? null;
}
