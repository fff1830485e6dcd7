/** The interface of a link backend (core/vocabulary/backends.ts). One instance lives as long as one link. */
import type { BackendId, Link } from '../../core/vocabulary/link.ts';
import type { LinkTraces } from '../../core/vocabulary/trace-facts.ts';
import type { BoundAqm } from '../aqm/bound-aqm.ts';
import type { LinkReadiness } from '../emulator/link-answers.ts';
import type { QueueLogEnd } from '../queue-log/recorder.ts';
import type { QueueCounters } from '../tc/bottleneck.ts';
import type { FlowCounters } from '../tc/loss.ts';

/** Counters of a link. The fields of `QueueCounters` are those of the bottleneck towards the clients. */
export type LinkCounters = QueueCounters & {
  /** Counters of the bottleneck from the clients; null if the link has no bottleneck in that direction. */
  up: QueueCounters | null;
  /**
   * Counters of the random loss in both directions, for each sender, receiver and protocol; empty without random loss.
   */
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
  /** Traces that the link follows; null if it follows none. */
  readonly traces: LinkTraces | null;
  /**
   * Sets up the path of each sender. `paths` contains settled delays (settle-paths.ts). A further call changes the
   * delays and resets the counters.
   */
  setPaths(paths: Link['paths']): Promise<void>;
  /**
   * Starts the schedule or the trace at time zero. Returns the time of the start on CLOCK_MONOTONIC of the router, ms;
   * null if the backend does not know it.
   */
  start(): Promise<number | null>;
  /**
   * Changes the rate, the limit and the loss to those of `link`; the other properties of `link` must be those of the
   * present link. Packets pass during the change, and waiting packets stay.
   */
  change(link: Link, aqm: BoundAqm): Promise<void>;
  /**
   * Reads the configuration of the link back. Throws `link-refused` with the reading if the configuration differs from
   * the requested one.
   */
  verify(): Promise<void>;
  counters(): Promise<LinkCounters>;
  /** Ends the queue log at the end of a trial; afterwards no packet may use the link. Returns null without a log. */
  endLog(): Promise<QueueLogEnd | null>;
  clear(): Promise<void>;
}
