/** trial.json: everything about one trial that is not a series. */
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

/**
 * Points in time that divide a trial, Unix ms of the harness's clock. Only [windowStart, windowEnd] is ever measured.
 */
export type Phases = {
  preparedMs: number;
  /** When every application that begins before the window was in use. */
  readyMs: number;
  windowStartMs: number;
  windowEndMs: number;
  endMs: number;
};

export type VerdictStatus = 'valid' | 'degraded' | 'invalid';

/** Why a trial does or does not count. */
export type Finding = {
  /**
   * `host`: the machine disturbed it. `failure`: a part of it died. `link`: it was not what was asked for. `estimate`:
   * a flow saw more than the link has. `content`: what was sent is hardly fit to be measured.
   */
  kind: 'host' | 'failure' | 'link' | 'estimate' | 'content';
  /** `note`: it is said, and changes nothing. */
  status: 'note' | 'degraded' | 'invalid';
  message: string;
  /** What helps, where another try would end the same way; missing elsewhere, and in records of older versions. */
  advice?: string;
};

export type Verdict = { status: VerdictStatus; findings: Finding[] };

/** Packets and bytes of one sender at the bottleneck. */
type FlowCount = { source: string; protocol: number; packets: number; bytes: number; lostPackets: number };

/** Counters of a queue, since the trial's start. */
type QueueReading = { sentBytes: number; sentPackets: number; droppedPackets: number; backlogPackets: number };

/** Counters of the bottlenecks at one moment: its own fields are of the one towards the clients. */
export type BottleneckReading = QueueReading & {
  timeMs: number;
  /** Of the bottleneck from the clients: null where there is none, missing in records of older versions. */
  up?: QueueReading | null;
  /** In both directions. */
  randomLoss: FlowCount[];
};

/** What was proved of the network before the trial. */
export type NetworkReading = {
  /** The hosts in use. */
  hosts: string[];
  /** When it was proved that they reach each other over the router and no other way: before each trial. */
  routesMs: number;
  /**
   * When it was proved that offloads are off on every device between them: before the first trial on these hosts of this
   * run.
   */
  offloadsMs: number;
};

/** Settings of the kernel and of the machine before the trial (core/system/machine-settings.ts). */
export type SettingsReading = {
  /** What this machine has, by name. */
  machine: Record<string, string>;
  /** Settings of hosts that are not what Coexist sets, a sentence for each. */
  differences: string[];
};

/** What probes found of the link before the first trial on it; null where that was not wanted. */
export type PreflightReading = {
  status: 'passed' | 'degraded' | 'disturbed' | 'refused';
  /** In one line. */
  summary: string;
  /** True where an earlier trial of the run had the link proved. */
  earlier: boolean;
  durationMs: number;
  readings: Reading[];
};

/**
 * The log of every packet at the bottleneck, in short; null where it was not wanted or this machine cannot keep one.
 */
export type QueueLogReading = {
  records: number;
  lostRecords: number;
  /** What each application met in the measured window, by protocol. */
  traffic: (Omit<QueueTraffic, 'party'> & ByApplication)[];
  /** The same of each flow; missing in records of before November 2026. */
  flows?: (Omit<QueueFlow, 'party'> & ByApplication)[];
  /**
   * How long each bottleneck stood still in the window although packets waited; none of one that follows a trace. Missing
   * in records of before December 2026.
   */
  stops?: (StopsReading & OfDirection)[];
};

/** A capture of the headers of what left the bottleneck; null where none was wanted. */
type CaptureReading = {
  /** Its name in the trial's folder (pcap, times in ns). */
  file: string;
  packets: number;
  /** Packets that are missing from it. */
  drops: number;
};

/** Whose packets they are: null where they are of no application. */
export type ByApplication = OfDirection & { application: string | null };

/** At the bottleneck from the clients; missing at that towards them. */
export type OfDirection = { direction?: 'up' };

/** The tunnel of an application. */
export type TunnelReading = {
  /** What it says of itself: stack, versions, what its ends told last. Null where it never began. */
  facts: Record<string, unknown> | null;
  /** UDP packets of the hosts of its ends that were on the link outside of it; null where nobody has counted. */
  besidePackets: number | null;
};

/**
 * One application of a trial: everything about it that is not a series. Its series lie in `applications/NAME` of the
 * trial's folder.
 */
export type ApplicationFile = {
  name: string;
  /** Addresses of its hosts. */
  addresses: Addresses;
  /**
   * When its start was begun, when it was in use, when its stop was begun; null: it never came to that. `readMs`: when
   * the last reading before a planned stop began, up to which its series reach; null where its stop was not planned,
   * missing in older records. `endedMs`: when its programs had ended; null where it was not stopped in order, missing in
   * older records.
   */
  startMs: number | null;
  readyMs: number | null;
  readMs?: number | null;
  stopMs: number | null;
  endedMs?: number | null;
  /**
   * When its first and its last packet came to a bottleneck, by the queue log; null where there is no log or no packet,
   * missing in older records.
   */
  packets?: PacketSpan | null;
  /** How the clocks of its two ends stand to the harness's. */
  clocks: { server: ClockOffset; page: ClockOffset } | null;
  /** The service's own account of itself: encoder, clip, browser. */
  facts: Record<string, unknown> | null;
  /** What its connections really were; null where it has none of TCP or QUIC, or does not tell. */
  transport: TransportReading | null;
  /** Of one whose packets travel in a tunnel; missing of others. */
  tunnel?: TunnelReading;
  /** What the devices of its clients had taken at both ends of the window, together. */
  received: { before: DeviceReading; after: DeviceReading } | null;
};

export type TrialFile = {
  format: typeof experimentFormat;
  study: string;
  trial: Trial;
  condition: Condition;
  /** 1 for the first try. */
  attempt: number;
  verdict: Verdict;
  phases: Phases | null;
  /** What formed the link; null where it never came to that. */
  backend: BackendId | null;
  /** What the traces were that the link followed; missing where it followed none, and in records of older versions. */
  traces?: LinkTraces;
  /** Null where it never came to that; missing in records of older versions. */
  network?: NetworkReading | null;
  /** Missing where the trial did not come to that, and in records of older versions. */
  settings?: SettingsReading;
  preflight: PreflightReading | null;
  bottleneck: { before: BottleneckReading; after: BottleneckReading } | null;
  queueLog: QueueLogReading | null;
  capture: CaptureReading | null;
  /** What it ran on, as it was when its run was started. Missing in records of older versions. */
  software?: Software;
  /** In the order of the condition. */
  applications: ApplicationFile[];
  /** Router first, where the hosts were other machines; missing where they were this one. */
  hosts?: HostReading[];
  /**
   * What the trial had over other programs of this machine. Missing where `run.priority` was off or the hosts were other
   * machines, and in records of older versions.
   */
  priority?: PrecedenceReading;
  /** CPU over the window, 1 = one core: of the hosts of each application, and of the harness. */
  cpuRatio: Record<string, number> | null;
  /**
   * Name of the machine that ran it. Missing where no worker finished it, and in records of older versions
   * where the study had no queue.
   */
  machine?: string;
};
