/** The interface of a link backend (core/vocabulary/backends.ts). One instance lives as long as one link. */
import type { BackendId, Link } from '../../core/vocabulary/link.ts';
import type { LinkTraces } from '../../core/vocabulary/trace-facts.ts';
import type { AqmPlugin } from '../aqm/aqm.ts';
import type { LinkReadiness } from '../emulator/link-answers.ts';
import type { QueueLogEnd } from '../queue-log/recorder.ts';
import type { QueueCounters } from '../tc/bottleneck.ts';
import type { FlowCounters } from '../tc/loss.ts';

/** Top-level fields belong to the bottleneck towards the clients. */
export type LinkCounters = QueueCounters & {
  /** Counters of the bottleneck from the clients; null without one. */
  up: QueueCounters | null;
  /** Random loss in both directions, per sender, receiver and protocol; empty without random loss. */
  loss: FlowCounters[];
};

/** Properties of the direction towards the clients that can change while a link carries packets. */
export type LinkChange = Partial<Pick<Link, 'rateBps' | 'queue' | 'loss'>>;

export interface LinkBackend {
  readonly id: BackendId;
  /** Rejects with `link-refused` or `link-died` when a part of the link fails. */
  readonly failed: Promise<never>;
  /** Readiness of the native program that carries the packets; null if only the kernel carries them. */
  readonly readiness: LinkReadiness | null;
  /** Traces that the link follows; null if none. */
  readonly traces: LinkTraces | null;
  /** Sets up the path of each sender, with settled delays. Another call changes delays and resets counters. */
  setPaths(paths: Link['paths']): Promise<void>;
  /** Starts the schedule or the trace at time zero. */
  start(): Promise<void>;
  /**
   * Changes to the rate, limit and loss of `link`, whose other properties must be unchanged. Packets pass meanwhile,
   * and waiting packets stay.
   */
  change(link: Link, aqm: AqmPlugin): Promise<void>;
  /** Reads the configuration back. Throws `link-refused` with the reading if it differs. */
  verify(): Promise<void>;
  counters(): Promise<LinkCounters>;
  /** Ends the queue log, at the end of a trial; the link then carries nothing more. Null without a log. */
  endLog(): Promise<QueueLogEnd | null>;
  clear(): Promise<void>;
}
