/**
 * Interface of a link for preflight: requested properties, and counters of the backend. It fits every backend of the
 * shaper; preflight knows none of them.
 */

import type { Host } from '../../core/system/host.ts';
import type { Endpoint } from '../../core/system/network.ts';
import type { DropLaw } from '../../core/vocabulary/drop-law.ts';
import type { Direction } from '../../core/vocabulary/link.ts';

/** Name of a host at the end of a path. */
export type End = string;

export type AskedLoss = {
  /** Long-run share of lost packets, 0 to 1. */
  lossRatio: number;
  /** True if packets are lost independently; false for a model with bursts. */
  independent: boolean;
  /**
   * Indices of the first `packets` UDP packets (from 0) on this path after `reset` that will be lost; null if the
   * backend cannot predict them.
   */
  predicted: ((packets: number) => number[]) | null;
};

/** Path from one host to another, in one direction. */
export type PreflightPath = {
  from: End;
  to: End;
  /** True if it leads through the bottleneck under test. */
  shaped: boolean;
  /** Rate of the other direction's bottleneck, if the path leads through that instead, bit/s. */
  otherRateBps?: number;
  /** Requested propagation delay, ms, without serialisation time. */
  delayMs: number;
  /** Null without random loss. */
  loss: AskedLoss | null;
};

/** Counters since `reset`. in = sent + dropped + backlog must hold exactly for the packets at the bottleneck. */
export type PreflightCounters = {
  /** Packets that reached the bottleneck after random loss; undefined if the backend does not count them separately. */
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
  /** Bottleneck under test, if the link has two; left out with one. */
  direction?: Direction;
  /** Rate of the bottleneck, bit/s. A packet counts its IP length and `overheadBytes`. */
  rateBps: number;
  /** 14 = Ethernet without checksum, as tc counts; 0 = IP. */
  overheadBytes: number;
  /** Drop-tail limit; both null if the queue is unlimited or an AQM keeps it short. */
  limitPackets: number | null;
  limitBytes: number | null;
  discipline: {
    title: string;
    /** Its drop law; null if not specified. */
    law: DropLaw | null;
    /**
     * Smallest content at overflow: packets of any size, or bytes; null if the other field or the limits above give it.
     */
    roomPackets: number | null;
    roomBytes?: number | null;
  };
  /** Bucket of a token-bucket shaper: bytes that may leave at line rate after idle; 0 if every packet is serialised. */
  bucketBytes: number;
  /** At least one is shaped. */
  paths: readonly PreflightPath[];
  counters(): Promise<PreflightCounters>;
  /**
   * Resets the link: empty queues, counters at zero, loss generators at their start. `bare`: rate, queue and delays
   * only. `loss`: random loss as well. Jitter, reordering and duplication are off in both.
   */
  reset(mode: 'bare' | 'loss'): Promise<void>;
};

/** Returns the host with that name. */
export function endOf({ left, right }: Pick<PreflightBed, 'left' | 'right'>, name: End): Endpoint {
  const found = [...left, ...right].find(({ host }) => host.name === name);
  if (found === undefined) throw new Error(`a path to ${name}, which is no host of the network`);
  return found;
}

/** Hosts that send and receive probes. */
export type PreflightBed = {
  router: Host;
  left: readonly Endpoint[];
  right: readonly Endpoint[];
  /** Folder for the receivers' records. */
  scratch: string;
};
