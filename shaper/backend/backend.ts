/** What forms a link (core/vocabulary/backends.ts). One instance lives as long as one link. */
import type { BackendId, Link } from '../../core/vocabulary/link.ts';
import type { LinkTraces } from '../../core/vocabulary/trace-facts.ts';
import type { AqmPlugin } from '../aqm/aqm.ts';
import type { LinkReadiness } from '../emulator/link-answers.ts';
import type { QueueLogEnd } from '../queue-log/recorder.ts';
import type { QueueCounters } from '../tc/bottleneck.ts';
import type { FlowCounters } from '../tc/loss.ts';

/** Its own fields are those of the bottleneck towards the clients. */
export type LinkCounters = QueueCounters & {
  /** Of the bottleneck from the clients; null where there is none. */
  up: QueueCounters | null;
  /** Random loss in both directions, per sender, receiver and protocol; empty where there is none. */
  loss: FlowCounters[];
};

/** What may change, in the direction towards the clients, while a link carries packets. */
export type LinkChange = Partial<Pick<Link, 'rateBps' | 'queue' | 'loss'>>;

export interface LinkBackend {
  readonly id: BackendId;
  /** Rejects with `link-refused` or `link-died` when a part of the link gives up. */
  readonly failed: Promise<never>;
  /** How punctual the program of ours is that carries the packets; null where the kernel alone carries them. */
  readonly readiness: LinkReadiness | null;
  /** What the traces are that it follows; null where it follows none. */
  readonly traces: LinkTraces | null;
  /** Forms the path of each sender: delays as settled. Called again, it changes delays and forgets counters. */
  setPaths(paths: Link['paths']): Promise<void>;
  /** Begins the schedule or the trace: now is its zero. */
  start(): Promise<void>;
  /**
   * Goes over to the rate, limit and loss of `link`, which is otherwise the one that was formed: packets pass
   * meanwhile, and what waits stays.
   */
  change(link: Link, aqm: AqmPlugin): Promise<void>;
  /** Reads back what was set; throws `link-refused` with the reading where it differs. */
  verify(): Promise<void>;
  counters(): Promise<LinkCounters>;
  /** Ends the queue log, and with it what the link carries: for the end of a trial. Null where there is none. */
  endLog(): Promise<QueueLogEnd | null>;
  /** Removes the link. */
  clear(): Promise<void>;
}
