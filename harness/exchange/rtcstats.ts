/**
 * Dump of a trial's connections for the viewer and the analysis programs of rtcstats. It has a line with a magic word,
 * a line with facts, and then a line for each call, event and reading of getStats. Each of these lines has a name, the
 * connection, a value, and the time since the previous line in ms (in the first one: Unix ms).
 *
 * Format: version 3, github.com/rtcstats/rtcstats (packages/rtcstats-server/docs/file-format.md and
 * packages/rtcstats-shared/dump.js, 2026-08). Names and reports are not compressed. A reading of getStats contains the
 * changes since the previous reading; a report that is no longer there is null. Names of events begin with "on", as the
 * names of handlers do.
 */
import type { TrialRecord } from '../record/trial-record.ts';
import {
  browserVersion,
  type ConnectionTrace,
  configuration,
  connectionTraces,
  type Report,
  type Sample,
} from './connection-trace.ts';

type Line = { timeMs: number; method: string; connection: string; value: unknown; extra?: unknown };

const fileFormat = 3;
/**
 * Types of entries that are events of a connection. The other entries of the connection's log are calls, and events of
 * the trial.
 */
const events = new Set([
  'icecandidate',
  'signalingstatechange',
  'icegatheringstatechange',
  'iceconnectionstatechange',
  'connectionstatechange',
]);

const withoutId = ({ id: _, ...rest }: Report) => rest;

/** Returns the value of JSON text, or the text itself if it is no JSON, as in a modified record. */
function parsed(value: string): unknown {
  if (value === '') return null;
  try {
    return JSON.parse(value);
  } catch {
    return value;
  }
}

function statsLines(samples: readonly Sample[], connection: string): Line[] {
  let before: string[] = [];
  return samples.map(({ timeMs, reports }) => {
    const now = new Map(reports.map(report => [String(report['id']), withoutId(report)]));
    const gone = before.filter(id => !now.has(id));
    before = [...now.keys()];
    const value = { ...Object.fromEntries(now), ...Object.fromEntries(gone.map(id => [id, null])) };
    return { timeMs, method: 'getStats', connection, value };
  });
}

function linesOf({ url, events: log, samples }: ConnectionTrace, connection: string): Line[] {
  const beginMs = Math.min(...[log[0], samples[0]].flatMap(first => first?.timeMs ?? []));
  if (!Number.isFinite(beginMs)) return [];
  return [
    { timeMs: beginMs, method: 'create', connection, value: configuration, extra: url },
    ...log.map(({ timeMs, type, value }) => ({
      timeMs,
      method: events.has(type) ? `on${type}` : type,
      connection,
      value: parsed(value),
    })),
    ...statsLines(samples, connection),
  ];
}

/** Returns the dump. The viewer's connection is named "receiver", and that of a sending browser "sender". */
export async function rtcstatsDump(record: TrialRecord): Promise<string> {
  const { receiver, sender } = await connectionTraces(record);
  const lines = [...linesOf(receiver, 'receiver'), ...(sender === undefined ? [] : linesOf(sender, 'sender'))];
  lines.sort((a, b) => a.timeMs - b.timeMs); // stable: "create" stays before other lines of the same time
  let beforeMs = 0;
  const text = lines.map(({ timeMs, method, connection, value, extra }) => {
    const sinceMs = timeMs - beforeMs;
    beforeMs = timeMs;
    return JSON.stringify([method, connection, value, ...(extra === undefined ? [] : [extra]), sinceMs]);
  });
  const facts = { fileFormat, userAgent: `Chrome/${browserVersion(record)}` };
  return ['RTCStatsDump', JSON.stringify(facts), ...text, ''].join('\n');
}
