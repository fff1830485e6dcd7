/**
 * Dump of a trial's connections in the format that chrome://webrtc-internals saves.
 *
 * Format: Chromium 2026, content/browser/webrtc/resources/dump_creator.js and data_series.js. Each member of each
 * report has a series "ID-MEMBER" with its type, the times of its first and last value, and the values as JSON text.
 * The series "ID-timestamp" has the time of each value. The dump importer of github.com/rtcstats/rtcstats (2026-08) is
 * the viewer that is still maintained. It requires `UserAgentData`, a configuration that is not a string, and JSON
 * values of events. Phases and stalls of the trial are in the log among the calls and events of the connection.
 */
import type { TrialRecord } from '../record/trial-record.ts';
import {
  browserVersion,
  type ConnectionTrace,
  configuration,
  connectionTraces,
  type Sample,
  type TraceEvent,
} from './connection-trace.ts';

type Series = { statsType: string; startTime: string; endTime: string; values: string };
/** Entry of a connection's log. `time`: text for people and older viewers. `timestamp`: Unix ms. */
type LogEntry = { time: string; timestamp: number; type: string; value: string };
type Connection = {
  pid: number;
  rid: number;
  url: string;
  rtcConfiguration: object;
  constraints: string;
  stats: Record<string, Series>;
  updateLog: LogEntry[];
};

type InternalsDump = {
  getUserMedia: never[];
  PeerConnections: Record<string, Connection>;
  UserAgent: string;
  /** Brands of the browser. The list has only the engine and its version, because nothing else is known. */
  UserAgentData: { brand: string; version: string }[];
};

const isoTime = (timeMs: number) => new Date(timeMs).toISOString();

function statsOf(samples: readonly Sample[]): Record<string, Series> {
  const points = new Map<string, { statsType: string; timesMs: number[]; values: unknown[] }>();
  for (const { timeMs, reports } of samples) {
    for (const { id, type, ...members } of reports) {
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

const logEntry = ({ timeMs, type, value }: TraceEvent): LogEntry => ({
  time: isoTime(timeMs),
  timestamp: timeMs,
  type,
  value,
});

const connection = ({ url, events, samples }: ConnectionTrace, rid: number): Connection => ({
  pid: rid,
  rid,
  url,
  rtcConfiguration: configuration,
  constraints: '',
  stats: statsOf(samples),
  updateLog: events.map(logEntry),
});

/** Returns the dump. The viewer's connection has the id "1-1", and that of a sending browser "2-1". */
export async function webrtcInternalsDump(record: TrialRecord): Promise<InternalsDump> {
  const { receiver, sender } = await connectionTraces(record);
  const version = browserVersion(record);
  return {
    getUserMedia: [],
    PeerConnections: {
      '1-1': connection(receiver, 1),
      ...(sender === undefined ? {} : { '2-1': connection(sender, 2) }),
    },
    UserAgent: `Chrome/${version}`,
    UserAgentData: [{ brand: 'Chromium', version }],
  };
}
