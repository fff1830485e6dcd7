/** Series of a record as tables, every time on the harness's clock. */
import type { TrialRecord } from '../record/trial-record.ts';
import type { SeriesDescriptions } from './field.ts';
import { mediaPackets } from './path-series.ts';
import { type Table, tableOf } from './table.ts';
import { timelineRows } from './timeline-series.ts';

async function sentFrames(record: TrialRecord): Promise<object[]> {
  return [...(await record.sentFrames()), ...(await record.skippedFrames())].sort((a, b) => a.captureMs - b.captureMs);
}

/** Series id -> its records: of one application. */
export const seriesReaders: Readonly<Record<string, (record: TrialRecord) => Promise<object[]>>> = {
  'frames.presented': record => record.presentedFrames(),
  stats: record => record.stats(),
  connection: record => record.connection(),
  page: record => record.page(),
  caller: record => record.caller(),
  sender: record => record.sender(),
  'frames.sent': sentFrames,
  packets: record => record.packets(),
  controller: record => record.controller(),
  probes: record => record.probes(),
  rtt: record => record.roundTrips(),
  tcp: record => record.tcp(),
  bbr3: record => record.bbr3(),
  tunnel: record => record.tunnel(),
  'queue.media': async record => mediaPackets(await record.mediaQueue()),
  service: record => record.service(),
  'picture-quality': record => record.pictureQuality(),
  'frames.timeline': timelineRows,
  'picture-comparison': async record => [(await record.pictureComparison()) ?? []].flat(),
};

/** The same of the whole trial: of its link and its machine. */
export const trialSeriesReaders: Readonly<Record<string, (record: TrialRecord) => Promise<object[]>>> = {
  ping: record => record.pings(),
  queue: record => record.queue(),
  'queue-delay': record => record.queueDelay(),
  'link-stops': record => record.linkStops(),
  host: record => record.host(),
};

/** Undefined where the trial has nothing of that series. */
export async function seriesTable(
  record: TrialRecord,
  series: SeriesDescriptions,
  id: string,
): Promise<Table | undefined> {
  const records = await (seriesReaders[id] ?? trialSeriesReaders[id])!(record);
  if (records.length === 0) return undefined;
  const { fields } = series[id]!;
  // fields that some records may have, of another controller or another kind of line, are columns only where one has
  // them
  const present = new Set<string>();
  for (const line of records) for (const key of Object.keys(line)) present.add(key);
  return tableOf(
    records,
    Object.fromEntries(Object.entries(fields).filter(([path]) => present.has(path.split('.')[0]!))),
  );
}
