/**
 * A link as preflight sees it: what was asked for, and what the backend counts. Every backend of the shaper can be
 * plugged in here; preflight knows none of them.
 */

import type { Host } from '../../core/system/host.ts';
import type { Endpoint } from '../../core/system/network.ts';
import type { DropLaw } from '../../core/vocabulary/drop-law.ts';
import type { Direction } from '../../core/vocabulary/link.ts';

/** Name of a host at the end of a path. */
export type End = string;

/** Random loss on a path, as asked for. */
export type AskedLoss = {
  /** Share of the packets that are lost in the long run, 0 to 1. */
  lossRatio: number;
  /** True where each packet is lost or not whatever happened to the others; false for a model with bursts. */
  independent: boolean;
  /**
   * Which of the first `packets` UDP packets (from 0) on this path after `reset` will be lost; null where the backend
   * cannot tell.
   */
  predicted: ((packets: number) => number[]) | null;
};

/** The path from one host to another, in one direction. */
export type PreflightPath = {
  from: End;
  to: End;
  /** Whether it leads through the bottleneck that is tried. */
  shaped: boolean;
  /** Rate of a bottleneck that it leads through instead, bit/s: that of the other direction. */
  otherRateBps?: number;
  /** Propagation delay that was asked for, ms: without the time that the packet takes to be sent. */
  delayMs: number;
  /** Null without random loss. */
  loss: AskedLoss | null;
};

/** Since `reset`. In = sent + dropped + backlog must hold exactly for what the bottleneck was given. */
export type PreflightCounters = {
  /**
   * Packets that were offered to the bottleneck after random loss; undefined where the backend does not count them
   * apart.
   */
  inPackets?: number;
  sentPackets: number;
  /** Dropped by the queue: overflow and AQM, not random loss. */
  droppedPackets: number;
  /** Marked with ECN instead of dropped. */
  markedPackets: number;
  backlogPackets: number;
  /** Random loss by sender, receiver and IP protocol number. */
  loss: readonly { source: string; destination: string; protocol: number; packets: number; lostPackets: number }[];
};

export type PreflightLink = {
  /** Which of two bottlenecks is tried; left out where the link has one alone. */
  direction?: Direction;
  /** Rate of the bottleneck, bit/s. A packet counts its IP length and `overheadBytes`. */
  rateBps: number;
  /** 14 = Ethernet without checksum, as tc counts; 0 = IP. */
  overheadBytes: number;
  /** Drop-tail limit; both null where the queue is unlimited or an AQM keeps it short. */
  limitPackets: number | null;
  limitBytes: number | null;
  /** What manages the queue. */
  discipline: {
    title: string;
    /** When it drops packets; null where nobody has said. */
    law: DropLaw | null;
    /**
     * What it holds at least before it overflows: packets of any size, or bytes; null where the other or the limits above
     * say that.
     */
    roomPackets: number | null;
    roomBytes?: number | null;
  };
  /**
   * Bucket of a token-bucket shaper: what may leave at line rate after idle, bytes; 0 where each packet takes its time.
   */
  bucketBytes: number;
  /** At least one is shaped. */
  paths: readonly PreflightPath[];
  counters(): Promise<PreflightCounters>;
  /**
   * Sets the link anew: empty queues, counters at zero, generators of loss at their start. `bare`: rate, queue and
   * delays alone. `loss`: random loss as well. Jitter, reordering and duplication are off in both.
   */
  reset(mode: 'bare' | 'loss'): Promise<void>;
};

/** The host of that name. */
export function endOf({ left, right }: Pick<PreflightBed, 'left' | 'right'>, name: End): Endpoint {
  const found = [...left, ...right].find(({ host }) => host.name === name);
  if (found === undefined) throw new Error(`a path to ${name}, which is no host of the network`);
  return found;
}

/** Where probes are sent and received. */
export type PreflightBed = {
  router: Host;
  left: readonly Endpoint[];
  right: readonly Endpoint[];
  /** Folder for the receivers' records. */
  scratch: string;
};
