/** trial.json of a trial of a pairwise study: everything about it that is not a series. One folder a side holds that side's series (harness/record/series.ts). */
import type { ClockOffset } from '../../core/clock.ts';
import type { BackendId } from '../../core/link.ts';
import type { CaptureReading, PreflightReading, Verdict } from '../record/trial-file.ts';
import type { pairsFormat } from './plan.ts';
import type { SideTraffic } from './queue-sides.ts';

export type PairTrial = {
  /** Folder name: the cell's id and the round. */
  id: string;
  cell: string;
  /** From 1. */
  round: number;
  /** Which side has the router's first leg; the sides change places from round to round. */
  firstLeg: 0 | 1;
};

/** Unix ms of the harness's clock. Only [windowStart, windowEnd] is measured. */
export type PairPhases = { preparedMs: number; readyMs: number; windowStartMs: number; windowEndMs: number; endMs: number };

/** Counters of a client's own device. */
export type Received = { timeMs: number; bytes: number; packets: number };

export type SideFile = {
  contestant: string;
  /** Its folder in the trial's. */
  folder: string;
  /** Addresses of its server and its client. */
  addresses: { server: string; client: string };
  readyMs: number | null;
  clocks: { server: ClockOffset; page: ClockOffset } | null;
  /** The service's own account of itself. */
  service: Record<string, unknown> | null;
  received: { before: Received; after: Received } | null;
  /** What its packets met at the bottleneck in the window; null where this machine keeps no log of the queue. */
  traffic: SideTraffic | null;
};

export type QueueCount = { timeMs: number; sentBytes: number; sentPackets: number; droppedPackets: number; backlogPackets: number };

export type PairTrialFile = {
  format: typeof pairsFormat;
  trial: PairTrial;
  link: string;
  attempt: number;
  verdict: Verdict;
  phases: PairPhases | null;
  backend: BackendId | null;
  preflight: PreflightReading | null;
  bottleneck: { before: QueueCount; after: QueueCount } | null;
  capture: CaptureReading | null;
  sides: SideFile[];
};

/** What a side got in the window, bit/s as the link counts: by the queue's log, else by its client's device. */
export function throughputBps({ traffic, received }: SideFile, phases: PairPhases): number | null {
  if (traffic !== null) return traffic.sentBytes * 8000 / (phases.windowEndMs - phases.windowStartMs);
  if (received === null) return null;
  return (received.after.bytes - received.before.bytes) * 8000 / (received.after.timeMs - received.before.timeMs);
}
