/**
 * Browser connections of a trial, in the form from which the dumps for other programs are made: readings of getStats,
 * calls and events. The phases and stalls of the trial are listed among the events.
 */
import { stallsOf } from '../analysis/derive/stalls.ts';
import { callerSeries } from '../record/series/caller.ts';
import { connectionSeries } from '../record/series/connection.ts';
import { statsSeries } from '../record/series/stats.ts';
import type { TrialRecord } from '../record/trial-record.ts';

export type Report = Record<string, number | string | boolean>;
export type Sample = { timeMs: number; reports: Report[] };
/** Call or event of a connection. `value`: its argument as JSON, or "" without an argument. */
export type TraceEvent = { timeMs: number; type: string; value: string };

export type ConnectionTrace = {
  /** Name of the connection for people. */
  url: string;
  events: TraceEvent[];
  samples: Sample[];
};

/** Configuration of the connections on our pages, which use no servers (client/collector.ts). */
export const configuration = { iceServers: [] };

/** Returns the version of the browser; "unknown" if the trial ended before the browser started. */
export const browserVersion = (record: TrialRecord) => String(record.own?.facts?.['browser'] ?? 'unknown');

async function phasesOf(record: TrialRecord): Promise<TraceEvent[]> {
  const { phases } = record.file;
  if (phases === null) return [];
  const at = (timeMs: number | null, type: string, value: unknown = '') =>
    timeMs === null ? [] : [{ timeMs, type, value: value === '' ? '' : JSON.stringify(value) }];
  return [
    ...record.file.applications.flatMap(({ name, startMs, readyMs, stopMs }) => [
      ...at(startMs, 'applicationStart', name),
      ...at(readyMs, 'applicationReady', name),
      ...at(stopMs, 'applicationStop', name),
    ]),
    ...at(phases.windowStartMs, 'windowStart', 'from here on it is measured'),
    ...(await stallsOf(record)).flatMap(({ startMs, lengthMs }) =>
      at(startMs, 'stall', `no new frame for ${Math.round(lengthMs)} ms`),
    ),
    ...at(phases.windowEndMs, 'windowEnd'),
  ];
}

const there = (reports: readonly (Report | null | undefined)[]) => reports.filter(report => report != null);

/** Returns the viewer's connection, and the connection of a sending browser. */
export async function connectionTraces(
  record: TrialRecord,
): Promise<{ receiver: ConnectionTrace; sender?: ConnectionTrace }> {
  const { study, trial, condition } = record.file;
  const log = await record.read(connectionSeries);
  const trace = (end: 'receiver' | 'sender', samples: Sample[], more: readonly TraceEvent[] = []): ConnectionTrace => ({
    url: `${study}, ${condition.title}, repeat ${trial.repeat}: ${end}`,
    events: [
      ...log.filter(event => event.end === end).map(({ timeMs, type, value }) => ({ timeMs, type, value })),
      ...more,
    ].sort((a, b) => a.timeMs - b.timeMs),
    samples,
  });
  const viewer = (await record.read(statsSeries)).map(
    ({ timeMs, inbound, inboundAudio, candidatePair, remoteOutbound }) => ({
      timeMs,
      reports: there([inbound, inboundAudio, candidatePair, remoteOutbound]),
    }),
  );
  const caller = (await record.read(callerSeries)).map(
    ({ timeMs, outbound, outboundAudio, candidatePair, remoteInbound }) => ({
      timeMs,
      reports: there([outbound, outboundAudio, candidatePair, remoteInbound]),
    }),
  );
  return {
    receiver: trace('receiver', viewer, await phasesOf(record)),
    ...(caller.length === 0 ? {} : { sender: trace('sender', caller) }),
  };
}
