/** What forms a link: the kernel alone, the kernel with a delay line, or the emulator. One instance lives as long as one link. */
import type { BackendId, Link } from '../../harness/base/link.ts';
import type { QueueCounters } from '../tc/bottleneck.ts';
import type { FlowCounters } from '../tc/loss.ts';

export type LinkCounters = QueueCounters & {
  /** Random loss, per sender and protocol; empty where there is none. */
  loss: FlowCounters[];
};

export interface LinkBackend {
  readonly id: BackendId;
  /** Rejects with `link-refused` or `shaper-died` when a part of the link gives up. */
  readonly failed: Promise<never>;
  /** Forms the way of each sender: delays as settled. Called again, it changes delays and forgets counters. */
  setWays(ways: Link['ways']): Promise<void>;
  /** Begins the schedule or the trace: now is its zero. */
  start(): Promise<void>;
  /** Reads back what was set; throws `link-refused` with the reading where it differs. */
  verify(): Promise<void>;
  counters(): Promise<LinkCounters>;
  /** Removes the link. */
  clear(): Promise<void>;
}
