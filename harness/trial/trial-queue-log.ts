/** Reads the queue logs of a trial's bottlenecks, separately for each application. */

import { firstHopOf, hopsOf, ownRowOf } from '../../core/vocabulary/hops.ts';
import { lateRoundTripMs } from '../../core/vocabulary/late-round-trip.ts';
import { baseRttMs, type Direction, type Link } from '../../core/vocabulary/link.ts';
import { logAt } from '../../shaper/backend/link-chain.ts';
import { digestQueueLog } from '../../shaper/queue-log/digest.ts';
import type { QueueLogEnd } from '../../shaper/queue-log/recorder.ts';
import { readingOf } from '../../shaper/queue-log/stops.ts';
import type { PacketSpan } from '../../shaper/queue-log/summary.ts';
import type { LinkStopRecord } from '../record/series/link-stops.ts';
import type { QueueDelayRecord } from '../record/series/queue-delay.ts';
import type { ByApplication, Finding, OfHop, QueueLogReading } from '../record/trial-file.ts';
import type { ApplicationRun } from './application-run.ts';
import { longestToQueueMs } from './external-loss.ts';
import { linkStopFindings } from './link-stops.ts';
import { slowLinkFindings } from './slow-link.ts';
import { readSoundLog, type TrialLog } from './sound-log.ts';

/** `reading`: for the trial's record. `delays`: bins of the delay series. `findings`: those about stops and rates. */
type ReadLog = {
  reading: QueueLogReading;
  delays: QueueDelayRecord[];
  stops: LinkStopRecord[];
  findings: Finding[];
};

/**
 * Reads the logs of all bottlenecks of the link, whose paths are named by application. `ends`, `file`: see `LinkChain.endLogs` and `logAt`. Passes to each
 * application the data about its packets. Null if the trial has no log or was given up before the end of its window.
 * Throws `link-refused` if a log is incomplete.
 */
export async function readQueueLogs(
  { ends, ...log }: Omit<TrialLog, 'end'> & { ends: readonly (QueueLogEnd | null)[] },
  link: Link,
  applications: readonly ApplicationRun[],
): Promise<ReadLog | null> {
  const read: (ReadLog | null)[] = [];
  const links = hopsOf(link);
  for (const [k, own] of links.entries()) {
    const [end, file] = [ends[k] ?? null, logAt(log.file, k + 1)];
    read.push(await readQueueLog({ ...log, end, file }, { link, own, hop: k + 1, of: links.length }, applications));
  }
  const [first, ...further] = read.filter(one => one !== null);
  if (first === undefined || read.includes(null)) return null;
  return {
    reading: {
      ...first.reading,
      ...(further.length === 0 ? {} : { further: further.map(({ reading }) => reading) }),
    },
    delays: [first, ...further].flatMap(({ delays }) => delays),
    stops: [first, ...further].flatMap(({ stops }) => stops),
    findings: [first, ...further].flatMap(({ findings }) => findings),
  };
}

/** `own`: the bottleneck at the place `hop` of `of` in the row of `link`. */
async function readQueueLog(
  log: TrialLog,
  { link, own, hop, of }: { link: Link; own: Link; hop: number; of: number },
  applications: readonly ApplicationRun[],
): Promise<ReadLog | null> {
  const digest = await readSoundLog(log, window =>
    digestQueueLog({
      ...window,
      parties: applications.map(({ party }) => party),
      lateMs: lateRoundTripMs - baseRttMs(link),
      bottlenecks: { down: own, ...(own.up === null ? {} : { up: own.up }) },
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
  const place: OfHop = hop === 1 ? {} : { hop };
  for (const [k, { application, file }] of applications.entries()) {
    const row = ownRowOf(link, application).map(own => own.hop);
    // packets from the clients meet the last bottleneck first
    const met = (application.direction === 'down' ? row[0] : row.at(-1)) ?? 1;
    applications[k]!.media(
      digest.media[k]!.map(line => ({ ...line, ...place })),
      met === hop ? longestToQueueMs(link) : null,
    );
    if (firstHopOf(link, application.name) === hop) file.packets = spanOf(digest.queues.map(({ spans }) => spans[k]!));
  }
  const stops = digest.queues.flatMap(({ direction, stops: all }) =>
    all === null ? [] : [{ ...at(direction), ...readingOf(all) }],
  );
  const delays = digest.queues.flatMap(({ direction, bins }) => bins.map(named(direction)));
  const { windowStartMs: startMs, windowEndMs: endMs } = log.phases!;
  const inMessages = of === 1 ? {} : { hop };
  return {
    findings: [
      ...linkStopFindings(stops, endMs - startMs, inMessages),
      ...slowLinkFindings(delays, own, { startMs, endMs }, inMessages),
    ],
    reading: {
      records: log.end!.records,
      lostRecords: log.end!.lost,
      traffic: digest.queues.flatMap(({ direction, traffic }) => traffic.map(named(direction))),
      flows: digest.queues.flatMap(({ direction, flows }) => flows.map(named(direction))),
      stops,
      ...(digest.queues.some(({ marks }) => marks === null)
        ? {}
        : {
            marks: digest.queues.flatMap(({ direction, marks }) => marks!.parties.map(named(direction))),
            classes: digest.queues.flatMap(({ direction, marks }) =>
              marks!.classes.map(own => ({ ...at(direction), ...own })),
            ),
          }),
    },
    delays: delays.map(bin => ({ ...bin, ...place })),
    stops: digest.queues.flatMap(({ direction, stops: all }) =>
      (all ?? []).map(stop => ({ ...at(direction), ...place, ...stop })),
    ),
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
