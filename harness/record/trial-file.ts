/**
 * Content of trial.json: all data of a trial except its series. The run folder may come from anywhere, so the schema
 * checks what the code computes with. Parts that only the report shows have a type and are not checked.
 */
import { z } from '../../core/schema/schema.ts';
import { formatDuration } from '../../core/text/units.ts';
import type { BackendId } from '../../core/vocabulary/link.ts';
import type { LinkTraces } from '../../core/vocabulary/trace-facts.ts';
import { mostWindowMs } from '../../core/vocabulary/trial-length.ts';
import type { Reading } from '../../shaper/calibrate/readings.ts';
import type { PrecedenceReading } from '../../shaper/precedence/means.ts';
import type { ClassReading, PartyMarks } from '../../shaper/queue-log/marks.ts';
import type { StopsReading } from '../../shaper/queue-log/stops.ts';
import type { PacketSpan, QueueFlow, QueueTraffic } from '../../shaper/queue-log/summary.ts';
import type { HostReading } from '../../shaper/topology/topology.ts';
import type { Condition } from '../definition/conditions.ts';
import { experimentFormat } from '../definition/plan.ts';
import type { Trial } from '../definition/trial.ts';
import { conditionSchema, recordedTime, trialSchema } from './plan-schema.ts';
import type { Software } from './software.ts';
import type { TransportReading } from './transport.ts';

/** Longest time between the window and any other time of a trial, ms. All deadlines of the harness are shorter. */
export const mostBesideMs = 12 * 3600e3;
const text = z.string();
const number = z.number();

const phases = z
  .object({
    preparedMs: recordedTime,
    /** Time from which all applications that begin before the window were in use. */
    readyMs: recordedTime,
    windowStartMs: recordedTime,
    windowEndMs: recordedTime,
    endMs: recordedTime,
  })
  .superRefine(({ preparedMs, readyMs, windowStartMs, windowEndMs, endMs }, context) => {
    const times = [preparedMs, readyMs, windowStartMs, windowEndMs, endMs];
    if (times.some((timeMs, i) => timeMs < (times[i - 1] ?? 0))) context.addIssue('its times are not in their order');
    // 1 ms of tolerance, because times have fractions
    else if (windowEndMs - windowStartMs > mostWindowMs + 1)
      context.addIssue(`a window is ${formatDuration(mostWindowMs)} at most`);
    else if (windowStartMs - preparedMs > mostBesideMs || endMs - windowEndMs > mostBesideMs)
      context.addIssue(`it has a time that is more than ${formatDuration(mostBesideMs)} from its window`);
  });

/**
 * Times that divide a trial into phases, Unix ms of the harness's clock. Only the window, from `windowStartMs` to
 * `windowEndMs`, is ever measured.
 */
export type Phases = z.output<typeof phases>;

const finding = z.object({
  /**
   * Cause of the finding. `host`: the machine disturbed the trial. `failure`: a part of the trial failed. `link`: the
   * link was not as specified. `estimate`: a flow measured a bandwidth above the capacity of the link. `content`: the
   * clip or page is hardly suited for measurements.
   */
  kind: text.transform(kind => kind as 'host' | 'failure' | 'link' | 'estimate' | 'content'),
  /** Effect on the verdict: `note` has none, `degraded` makes the trial disturbed, `invalid` makes it void. */
  status: z.enum(['note', 'degraded', 'invalid']),
  message: text,
  /** Remedy, if another try would fail in the same way. Missing otherwise, and in records of older versions. */
  advice: z.custom<string>().exactOptional(),
});

/** Fact about a trial that affects its verdict, or that is only noted. */
export type Finding = z.output<typeof finding>;

const verdict = z.object({ status: z.enum(['valid', 'degraded', 'invalid']), findings: z.array(finding) });

export type Verdict = z.output<typeof verdict>;

/**
 * Counters of the queue at a bottleneck since the start of the trial. `backlogPackets`: packets that are in the queue
 * now.
 */
const queueReading = { sentBytes: number, sentPackets: number, droppedPackets: number, backlogPackets: number };

const oneBottleneck = {
  ...queueReading,
  /**
   * Counters of the bottleneck from the clients. Null if the link has no such bottleneck. Missing in records of older
   * versions.
   */
  up: z.custom<{ [counter in keyof typeof queueReading]: number } | null>().exactOptional(),
  /** Packets of each sender and those that were lost at random, in both directions. */
  randomLoss: z.array(
    z.object({ source: text, protocol: z.custom<number>(), packets: number, bytes: number, lostPackets: number }),
  ),
};

const bottleneck = z.object({
  timeMs: recordedTime,
  ...oneBottleneck,
  /** Counters of the further bottlenecks of the link, in their order. Missing if it has none. */
  further: z.array(z.object(oneBottleneck)).exactOptional(),
});

/**
 * Counters of the bottlenecks at `timeMs`. The fields beside `up` and `randomLoss` are those of the bottleneck towards
 * the clients.
 */
export type BottleneckReading = z.output<typeof bottleneck>;

/** Times at which the network was checked before the trial. */
export type NetworkReading = {
  hosts: string[];
  /**
   * Time of the check that the hosts reach each other only through the router. This check is made before each trial.
   */
  routesMs: number;
  /**
   * Time of the check that offloads are off on every device between the hosts. This check is made before the first
   * trial of the run on these hosts.
   */
  offloadsMs: number;
};

/** Settings of the kernel and the machine, read before the trial (core/system/machine-settings.ts). */
export type SettingsReading = {
  /** Values of `machineSettings` on this machine, by name of the setting. */
  machine: Record<string, string>;
  /** Settings of the hosts whose values differ from those that Coexist sets: a sentence for each. */
  differences: string[];
};

/** Result of the preflight, which probes the link before the first trial on it. Null if the preflight is off. */
export type PreflightReading = {
  status: 'passed' | 'degraded' | 'disturbed' | 'refused';
  /** Result of the preflight in one line. */
  summary: string;
  /** True if an earlier trial of the run had the preflight, and this trial uses its result. */
  earlier: boolean;
  durationMs: number;
  readings: Reading[];
};

/**
 * Summary of the queue log, which records every packet at the bottleneck. Null if the log is off or this machine cannot
 * keep one.
 */
export type QueueLogReading = {
  records: number;
  lostRecords: number;
  /** Traffic of each application in the measured window, by protocol. */
  traffic: (Omit<QueueTraffic, 'party'> & ByApplication)[];
  /** Traffic of each flow in the measured window. Missing in records before November 2026. */
  flows?: (Omit<QueueFlow, 'party'> & ByApplication)[];
  /**
   * Times in the window at which a bottleneck sent nothing although packets waited, for each bottleneck. A bottleneck
   * that follows a trace has no entry. Missing in records before December 2026.
   */
  stops?: (StopsReading & OfDirection)[];
  /**
   * ECN fields and DSCPs of each application's packets in the measured window, by protocol. Missing in records before
   * December 2026, as is `classes`.
   */
  marks?: (Omit<PartyMarks, 'party'> & ByApplication)[];
  /** L4S and classic traffic at each bottleneck in the measured window, of all applications. */
  classes?: (ClassReading & OfDirection)[];
  /** Summaries of the logs of the further bottlenecks, in their order. Missing if the link has none. */
  further?: QueueLogReading[];
};

/** Capture of the headers of the packets that left a bottleneck. Null if the capture is off. */
type CaptureReading = {
  /** Name of the capture file in the trial's folder (pcap, times in ns). */
  file: string;
  packets: number;
  /** Number of packets that are missing in the capture. */
  drops: number;
  /** Captures at the further bottlenecks, in their order. Missing if the link has none. */
  further?: CaptureReading[];
};

/** `application`: name of the application that the packets belong to. Null if they belong to no application. */
export type ByApplication = OfDirection & { application: string | null };

/** `direction`: "up" for the bottleneck from the clients. Missing for the bottleneck towards the clients. */
export type OfDirection = { direction?: 'up' };

/** `hop`: place of a further bottleneck in the row, from 2. Missing for the first. */
export type OfHop = { hop?: number };

export type TunnelReading = {
  /**
   * Facts that the tunnel reported: stack, versions, last values of both ends. Null if the tunnel was never started.
   */
  facts: Record<string, unknown> | null;
  /**
   * Number of UDP packets on the link, from or to the hosts of the tunnel's ends, that did not go through the tunnel.
   * Null if they were not counted.
   */
  besidePackets: number | null;
};

const clock = z.object({ offsetMs: number, uncertaintyMs: number });
const device = z.object({ timeMs: recordedTime, bytes: number, packets: number });
const flow = z.looseObject({ port: number, congestionControl: text, startMs: recordedTime });
const facts = z.looseObject({}).nullable();

const application = z.object({
  name: text,
  addresses: z.object({ server: text, client: text, furtherClients: z.array(text).exactOptional() }),
  /**
   * Times at which the application's state changed. `startMs`: its start was requested. `readyMs`: it was in use.
   * `stopMs`: its stop was requested. Null if the application did not reach this state.
   *
   * `readMs`: start of the last reading before a planned stop; the series end at this time. Null if the stop was not
   * planned. `endedMs`: its programs had ended. Null if it was not stopped regularly. Both are missing in records of
   * older versions.
   */
  startMs: recordedTime.nullable(),
  readyMs: recordedTime.nullable(),
  readMs: recordedTime.nullable().exactOptional(),
  stopMs: recordedTime.nullable(),
  endedMs: recordedTime.nullable().exactOptional(),
  /**
   * Pauses of its media: the sender had stopped sending at `startMs` and went on at `endMs`. Null if it did not go on.
   * Missing if the application did not pause.
   */
  pauses: z.array(z.object({ startMs: recordedTime, endMs: recordedTime.nullable() })).exactOptional(),
  /**
   * Times of the application's first and last packet at a bottleneck, from the queue log. Null if there is no log or no
   * packet. Missing in records of older versions.
   */
  packets: z.custom<PacketSpan | null>().exactOptional(),
  /** Clock offsets of the application's two ends from the harness's clock. Null if they were not measured. */
  clocks: z.object({ server: clock, page: clock }).nullable(),
  /** Facts that the service reported: encoder, clip, browser. Null if the service reported none. */
  facts,
  /**
   * Connections of the application, as the system reports them. Null if the application uses neither TCP nor QUIC, or
   * does not report its connections.
   */
  transport: z
    .looseObject({ label: text, evidence: text, flows: z.array(flow) })
    .transform(reading => reading as TransportReading)
    .nullable(),
  /** Data about the tunnel of the application's packets. Missing if the application has no tunnel. */
  tunnel: z.custom<TunnelReading>().exactOptional(),
  /**
   * Traffic that all clients of the application had received at the start and at the end of the window, by the counters
   * of their network devices. Null if the counters were not read.
   */
  received: z.object({ before: device, after: device }).nullable(),
});

/**
 * Data of an application of a trial, except its series. The series are in `applications/NAME` in the trial's folder.
 */
export type ApplicationFile = z.output<typeof application>;

export const trialFileSchema = z.object({
  format: z.literal(experimentFormat),
  study: text,
  trial: trialSchema.transform(trial => trial as Trial),
  condition: conditionSchema.transform(condition => condition as Condition),
  /** Number of this try of the trial, from 1. */
  attempt: number,
  verdict,
  phases: phases.nullable(),
  /** Backend that formed the link. Null if the trial failed before a backend was chosen. */
  backend: text.transform(id => id as BackendId).nullable(),
  /**
   * Facts about the traces that the link followed. Missing if the link followed no trace, and in records of older
   * versions.
   */
  traces: z.custom<LinkTraces>().exactOptional(),
  /** Backends and traces of the further bottlenecks of the link, in their order. Missing if it has none. */
  further: z
    .array(z.object({ backend: text.transform(id => id as BackendId), traces: z.custom<LinkTraces | null>() }))
    .exactOptional(),
  /** Checks of the network. Null if the trial failed before them. Missing in records of older versions. */
  network: z.custom<NetworkReading | null>().exactOptional(),
  /**
   * Settings of the kernel and the machine. Missing if the trial failed before they were read, and in records of older
   * versions.
   */
  settings: z.custom<SettingsReading>().exactOptional(),
  preflight: z.custom<PreflightReading | null>(),
  bottleneck: z.object({ before: bottleneck, after: bottleneck }).nullable(),
  queueLog: z.custom<QueueLogReading | null>(),
  capture: z.custom<CaptureReading | null>(),
  /** Software at the start of the run. Missing in records of older versions. */
  software: z.custom<Software>().exactOptional(),
  /** Data of each application, in the order of the condition's applications. */
  applications: z.array(application),
  /**
   * Data of each host, the router first, if the hosts were other machines. Missing if all hosts were on this machine.
   */
  hosts: z.custom<HostReading[]>().exactOptional(),
  /**
   * Means by which the processors preferred the trial to other programs of this machine. Missing if `run.priority` was
   * off, if the hosts were other machines, and in records of older versions.
   */
  priority: z.custom<PrecedenceReading>().exactOptional(),
  /**
   * Mean processor use in the window, cores (1: one core in full use), of the hosts of each application and of the
   * harness. Null if it was not measured.
   */
  cpuRatio: z.record(text, number).nullable(),
  /**
   * Name of the machine that ran the trial. Missing if no worker finished the trial, and in records that older versions
   * wrote for studies without a queue.
   */
  machine: z.custom<string>().exactOptional(),
});

export type TrialFile = z.output<typeof trialFileSchema>;
