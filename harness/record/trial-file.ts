/** trial.json: all data of a trial that are not series. */
import type { ClockOffset } from '../../core/system/clock.ts';
import type { Addresses, DeviceReading } from '../../core/system/network.ts';
import type { BackendId } from '../../core/vocabulary/link.ts';
import type { LinkTraces } from '../../core/vocabulary/trace-facts.ts';
import type { Reading } from '../../shaper/calibrate/readings.ts';
import type { PrecedenceReading } from '../../shaper/precedence/means.ts';
import type { StopsReading } from '../../shaper/queue-log/stops.ts';
import type { PacketSpan, QueueFlow, QueueTraffic } from '../../shaper/queue-log/summary.ts';
import type { HostReading } from '../../shaper/topology/topology.ts';
import type { Condition } from '../definition/conditions.ts';
import type { experimentFormat } from '../definition/plan.ts';
import type { Trial } from '../definition/trial.ts';
import type { Software } from './software.ts';
import type { TransportReading } from './transport.ts';

/** Times that divide a trial, Unix ms of the harness's clock. Only [windowStart, windowEnd] is ever measured. */
export type Phases = {
  preparedMs: number;
  /** Time at which every application that begins before the window was in use. */
  readyMs: number;
  windowStartMs: number;
  windowEndMs: number;
  endMs: number;
};

export type VerdictStatus = 'valid' | 'degraded' | 'invalid';

/** Reason for a trial's verdict, or a note. */
export type Finding = {
  /**
   * `host`: the machine disturbed the trial. `failure`: a part of the trial failed. `link`: the link was not as
   * specified. `estimate`: a flow measured more than the capacity of the link. `content`: the content is hardly fit for
   * measurements.
   */
  kind: 'host' | 'failure' | 'link' | 'estimate' | 'content';
  /** `note`: does not change the verdict. */
  status: 'note' | 'degraded' | 'invalid';
  message: string;
  /** Remedy, if another try would fail in the same way. Missing otherwise, and in records of older versions. */
  advice?: string;
};

export type Verdict = { status: VerdictStatus; findings: Finding[] };

/** Packets and bytes of a sender at the bottleneck. */
type FlowCount = { source: string; protocol: number; packets: number; bytes: number; lostPackets: number };

/** Counters of a queue since the start of the trial. */
type QueueReading = { sentBytes: number; sentPackets: number; droppedPackets: number; backlogPackets: number };

/** Counters of the bottlenecks at one moment. Its own fields are those of the bottleneck towards the clients. */
export type BottleneckReading = QueueReading & {
  timeMs: number;
  /** Bottleneck from the clients. Null if the link has none, missing in records of older versions. */
  up?: QueueReading | null;
  /** Random loss in both directions. */
  randomLoss: FlowCount[];
};

/** Checks of the network before the trial. */
export type NetworkReading = {
  hosts: string[];
  /** Time of the check that the hosts reach each other over the router only. It is made before each trial. */
  routesMs: number;
  /**
   * Time of the check that offloads are off on every device between the hosts. It is made before the first trial of the
   * run on these hosts.
   */
  offloadsMs: number;
};

/** Settings of the kernel and the machine before the trial (core/system/machine-settings.ts). */
export type SettingsReading = {
  /** Settings of this machine, by name. */
  machine: Record<string, string>;
  /** Settings of hosts that differ from those that Coexist sets, a sentence for each. */
  differences: string[];
};

/** Results of the preflight, which probes the link before its first trial. Null if preflight is off. */
export type PreflightReading = {
  status: 'passed' | 'degraded' | 'disturbed' | 'refused';
  /** Result in one line. */
  summary: string;
  /** True if the preflight took place before an earlier trial of the run. */
  earlier: boolean;
  durationMs: number;
  readings: Reading[];
};

/** Summary of the log of every packet at the bottleneck. Null if it is off, or if this machine cannot keep one. */
export type QueueLogReading = {
  records: number;
  lostRecords: number;
  /** Traffic of each application in the measured window, by protocol. */
  traffic: (Omit<QueueTraffic, 'party'> & ByApplication)[];
  /** Traffic of each flow. Missing in records before November 2026. */
  flows?: (Omit<QueueFlow, 'party'> & ByApplication)[];
  /**
   * Stops of each bottleneck in the window while packets waited. A bottleneck that follows a trace has no entry.
   * Missing in records before December 2026.
   */
  stops?: (StopsReading & OfDirection)[];
};

/** Capture of the headers of the packets that left the bottleneck. Null if it is off. */
type CaptureReading = {
  /** File in the trial's folder (pcap, times in ns). */
  file: string;
  packets: number;
  /** Packets missing in the capture. */
  drops: number;
};

/** `application`: owner of the packets; null if they belong to no application. */
export type ByApplication = OfDirection & { application: string | null };

/** "up" at the bottleneck from the clients. Missing at the bottleneck towards the clients. */
export type OfDirection = { direction?: 'up' };

export type TunnelReading = {
  /** Report of the tunnel: stack, versions, last values of both ends. Null if it was never started. */
  facts: Record<string, unknown> | null;
  /** UDP packets of the hosts of its ends that crossed the link outside the tunnel. Null if they were not counted. */
  besidePackets: number | null;
};

/**
 * An application of a trial: all its data that are not series. Its series are in `applications/NAME` of the trial's
 * folder.
 */
export type ApplicationFile = {
  name: string;
  addresses: Addresses;
  /**
   * `startMs`: start requested. `readyMs`: in use. `stopMs`: stop requested. Null if the application did not reach this
   * state.
   *
   * `readMs`: start of the last reading before a planned stop; its series end there. Null if the stop was not planned.
   * `endedMs`: end of its programs. Null if it was not stopped in order. Both are missing in older records.
   */
  startMs: number | null;
  readyMs: number | null;
  readMs?: number | null;
  stopMs: number | null;
  endedMs?: number | null;
  /**
   * Times of its first and last packet at a bottleneck, from the queue log. Null if there is no log or no packet.
   * Missing in older records.
   */
  packets?: PacketSpan | null;
  /** Clock offsets of its two ends to the harness. */
  clocks: { server: ClockOffset; page: ClockOffset } | null;
  /** Report of the service: encoder, clip, browser. */
  facts: Record<string, unknown> | null;
  /** Connections as read from the system. Null if it uses neither TCP nor QUIC, or does not report them. */
  transport: TransportReading | null;
  /** Tunnel of its packets. Missing if it has none. */
  tunnel?: TunnelReading;
  /** Totals of the network devices of all its clients, at both ends of the window. */
  received: { before: DeviceReading; after: DeviceReading } | null;
};

export type TrialFile = {
  format: typeof experimentFormat;
  study: string;
  trial: Trial;
  condition: Condition;
  /** Number of the try, from 1. */
  attempt: number;
  verdict: Verdict;
  phases: Phases | null;
  /** Backend that shaped the link. Null if the trial did not get that far. */
  backend: BackendId | null;
  /** Traces that the link followed. Missing if it followed none, and in records of older versions. */
  traces?: LinkTraces;
  /** Null if the trial did not get that far. Missing in records of older versions. */
  network?: NetworkReading | null;
  /** Missing if the trial did not get that far, and in records of older versions. */
  settings?: SettingsReading;
  preflight: PreflightReading | null;
  bottleneck: { before: BottleneckReading; after: BottleneckReading } | null;
  queueLog: QueueLogReading | null;
  capture: CaptureReading | null;
  /** Software at the start of the run. Missing in records of older versions. */
  software?: Software;
  /** In the order of the condition. */
  applications: ApplicationFile[];
  /** Router first, if the hosts were other machines. Missing if all hosts were on this machine. */
  hosts?: HostReading[];
  /**
   * Precedence of the trial over other programs of this machine. Missing if `run.priority` was off, if the hosts were
   * other machines, and in records of older versions.
   */
  priority?: PrecedenceReading;
  /** CPU use over the window, 1 = one core, for the hosts of each application and for the harness. */
  cpuRatio: Record<string, number> | null;
  /**
   * Name of the machine that ran the trial. Missing if no worker finished it, and in records of older versions of
   * studies without a queue.
   */
  machine?: string;
};
