/** Reads the queue log of a trial's bottleneck, separately for each application. */
import { lateRoundTripMs } from '../../core/vocabulary/late-round-trip.ts';
import { baseRttMs, type Direction, type Link } from '../../core/vocabulary/link.ts';
import { digestQueueLog } from '../../shaper/queue-log/digest.ts';
import { readingOf } from '../../shaper/queue-log/stops.ts';
import type { PacketSpan } from '../../shaper/queue-log/summary.ts';
import type { LinkStopRecord } from '../record/series/link-stops.ts';
import type { QueueDelayRecord } from '../record/series/queue-delay.ts';
import type { ByApplication, QueueLogReading } from '../record/trial-file.ts';
import type { ApplicationRun } from './application-run.ts';
import { longestToQueueMs } from './external-loss.ts';
import { readSoundLog, type TrialLog } from './sound-log.ts';

/**
 * Reads the log. Returns the reading for the trial's record, the bins of the delay series and the stops of the link.
 * Passes to each application the data about its packets. Null if the trial has no log or was given up before the end of
 * its window. Throws `link-refused` if the log is incomplete.
 */
export async function readQueueLog(
  log: TrialLog,
  link: Link,
  applications: readonly ApplicationRun[],
): Promise<{ reading: QueueLogReading; delays: QueueDelayRecord[]; stops: LinkStopRecord[] } | null> {
  const digest = await readSoundLog(log, window =>
    digestQueueLog({
      ...window,
      parties: applications.map(({ party }) => party),
      lateMs: lateRoundTripMs - baseRttMs(link),
      bottlenecks: { down: link, ...(link.up === null ? {} : { up: link.up }) },
    }),
  );
  if (digest === null) return null;
  const at = (direction: Direction) => (direction === 'up' ? { direction } : {});
  const named =
    (direction: Direction) =>
    <T extends { party: number }>({ party, ...rest }: T): Omit<T, 'party'> & ByApplication => ({
      application: applications[party]?.application.name ?? null,
      ...at(direction),
      ...rest,
    });
  const toQueueMs = longestToQueueMs(link);
  for (const [k, lines] of digest.media.entries()) applications[k]!.media(lines, toQueueMs);
  for (const [k, { file }] of applications.entries())
    file.packets = spanOf(digest.queues.map(({ spans }) => spans[k]!));
  return {
    reading: {
      records: log.end!.records,
      lostRecords: log.end!.lost,
      traffic: digest.queues.flatMap(({ direction, traffic }) => traffic.map(named(direction))),
      flows: digest.queues.flatMap(({ direction, flows }) => flows.map(named(direction))),
      stops: digest.queues.flatMap(({ direction, stops }) =>
        stops === null ? [] : [{ ...at(direction), ...readingOf(stops) }],
      ),
      ...(digest.queues.some(({ marks }) => marks === null)
        ? {}
        : {
            marks: digest.queues.flatMap(({ direction, marks }) => marks!.parties.map(named(direction))),
            classes: digest.queues.flatMap(({ direction, marks }) =>
              marks!.classes.map(own => ({ ...at(direction), ...own })),
            ),
          }),
    },
    delays: digest.queues.flatMap(({ direction, bins }) => bins.map(named(direction))),
    stops: digest.queues.flatMap(({ direction, stops }) => (stops ?? []).map(stop => ({ ...at(direction), ...stop }))),
  };
}

/** Returns the span from the first to the last packet of several spans; null if all are null. */
function spanOf(spans: readonly (PacketSpan | null)[]): PacketSpan | null {
  const there = spans.filter(span => span !== null);
  if (there.length === 0) return null;
  return {
    firstMs: Math.min(...there.map(({ firstMs }) => firstMs)),
    lastMs: Math.max(...there.map(({ lastMs }) => lastMs)),
  };
}
