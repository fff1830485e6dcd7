/**
 * A trial's getStats as the dump that chrome://webrtc-internals saves, which its viewers read.
 *
 * Format: Chromium 2026, content/browser/webrtc/resources/dump_creator.js and data_series.js: for each member of each
 * report a series "ID-MEMBER" with its type, the times of its first and last value, and the values as JSON text; the
 * series "ID-timestamp" has the time of each. Ours has no log of the connection's API calls: in that place stand the
 * phases and stalls of the trial.
 */
import { stallsOf } from '../derive/stalls.ts';
import type { TrialRecord } from '../record/trial-record.ts';

type Report = Record<string, number | string | boolean>;
type Series = { statsType: string; startTime: string; endTime: string; values: string };
type LogEntry = { time: string; type: string; value: string };
type Connection = {
  pid: number;
  rid: number;
  url: string;
  rtcConfiguration: string;
  constraints: string;
  stats: Record<string, Series>;
  updateLog: LogEntry[];
};

type InternalsDump = { getUserMedia: never[]; PeerConnections: Record<string, Connection>; UserAgent: string };

type Sample = { timeMs: number; reports: (Report | null)[] };

const isoTime = (timeMs: number) => new Date(timeMs).toISOString();

function statsOf(samples: readonly Sample[]): Record<string, Series> {
  const points = new Map<string, { statsType: string; timesMs: number[]; values: unknown[] }>();
  for (const { timeMs, reports } of samples) {
    for (const report of reports) {
      if (report === null) continue;
      const { id, type, ...members } = report;
      for (const [member, value] of Object.entries(members)) {
        const name = `${String(id)}-${member}`;
        let series = points.get(name);
        if (series === undefined) points.set(name, (series = { statsType: String(type), timesMs: [], values: [] }));
        series.timesMs.push(timeMs);
        series.values.push(value);
      }
    }
  }
  return Object.fromEntries(
    [...points].map(([name, { statsType, timesMs, values }]) => [
      name,
      {
        statsType,
        startTime: isoTime(timesMs[0]!),
        endTime: isoTime(timesMs.at(-1)!),
        values: JSON.stringify(values),
      },
    ]),
  );
}

async function logOf(record: TrialRecord): Promise<LogEntry[]> {
  const { phases } = record.file;
  if (phases === null) return [];
  const at = (timeMs: number | null, type: string, value = '') => (timeMs === null ? [] : [{ timeMs, type, value }]);
  const stalls = (await stallsOf(record)).map(({ startMs, lengthMs }) => ({
    timeMs: startMs,
    type: 'stall',
    value: `no new frame for ${Math.round(lengthMs)} ms`,
  }));
  return [
    ...record.file.applications.flatMap(({ name, startMs, readyMs, stopMs }) => [
      ...at(startMs, 'applicationStart', name),
      ...at(readyMs, 'applicationReady', name),
      ...at(stopMs, 'applicationStop', name),
    ]),
    ...at(phases.windowStartMs, 'windowStart', 'from here on it is measured'),
    ...stalls,
    ...at(phases.windowEndMs, 'windowEnd'),
  ]
    .sort((a, b) => a.timeMs - b.timeMs)
    .map(({ timeMs, type, value }) => ({ time: isoTime(timeMs), type, value }));
}

/** The viewer's connection is "1-1", that of a sender which is a browser "2-1". */
export async function webrtcInternalsDump(record: TrialRecord): Promise<InternalsDump> {
  const { study, trial, condition } = record.file;
  const connection = (end: string, stats: Record<string, Series>, updateLog: LogEntry[], rid: number): Connection => ({
    pid: rid,
    rid,
    url: `${study}, ${condition.title}, repeat ${trial.repeat}: ${end}`,
    rtcConfiguration: '{ iceServers: [] }',
    constraints: '',
    stats,
    updateLog,
  });
  const viewer = (await record.stats()).map(({ timeMs, inbound, candidatePair, remoteOutbound }) => ({
    timeMs,
    reports: [inbound, candidatePair, remoteOutbound],
  }));
  const caller = (await record.caller()).map(({ timeMs, outbound, candidatePair, remoteInbound }) => ({
    timeMs,
    reports: [outbound, candidatePair, remoteInbound],
  }));
  return {
    getUserMedia: [],
    PeerConnections: {
      '1-1': connection('receiver', statsOf(viewer), await logOf(record), 1),
      ...(caller.length === 0 ? {} : { '2-1': connection('sender', statsOf(caller), [], 2) }),
    },
    UserAgent: `Chrome/${String(record.own?.facts?.['browser'] ?? 'unknown')}`,
  };
}
