/**
 * Interface of a link for preflight: requested properties, and counters of the backend. Every backend of the shaper
 * provides this interface, and preflight uses nothing else of a backend.
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
  /** True if packets are lost independently of each other; false for a model with bursts. */
  independent: boolean;
  /**
   * Returns the indices of the packets that will be lost among the first `packets` UDP packets (from 0) on this path
   * after `reset`. Null if the backend cannot predict them; it then does not count them for each sender either.
   */
  predicted: ((packets: number) => number[]) | null;
};

/** Path from one host to another, in one direction. */
export type PreflightPath = {
  from: End;
  to: End;
  /** True if the path leads through the bottleneck under test. */
  shaped: boolean;
  /** Rate of the bottleneck of the other direction, bit/s, if the path leads through that bottleneck. */
  otherRateBps?: number;
  /** Requested propagation delay, ms, without serialisation time. */
  delayMs: number;
  /** Random loss on this path; null without random loss. */
  loss: AskedLoss | null;
};

/** Trace that a link follows. Times are ms since the trace was started. */
export type PreflightTrace = {
  /** Mean rate of the trace, bit/s; the rate of the link if the trace gives none. */
  meanBps: number;
  /**
   * Sets the link with its trace, with a FIFO that holds all probes, and starts the trace. Returns the time of the start
   * on the clock of the probes, ms.
   */
  start(): Promise<number>;
  /** Departures from the link of packets that are sent at `atMs` over a path under test, ms. */
  departuresMs(packets: readonly { atMs: number; bytes: number }[]): number[];
  /** Random loss of packets that leave the link at this time. */
  lossAt(atMs: number): { lossRatio: number; burstPackets: number };
};

/** Counters since `reset`. For the packets at the bottleneck, in = sent + dropped + backlog must hold exactly. */
export type PreflightCounters = {
  /** Packets that reached the bottleneck after random loss; undefined if the backend does not count them separately. */
  inPackets?: number;
  sentPackets: number;
  /** Packets that the queue dropped: overflow and AQM, without random loss. */
  droppedPackets: number;
  /** Packets that the queue marked with ECN instead of dropping them. */
  markedPackets: number;
  backlogPackets: number;
  /** Counters of the random loss for each sender, receiver and IP protocol number. */
  loss: readonly { source: string; destination: string; protocol: number; packets: number; lostPackets: number }[];
};

export type PreflightLink = {
  /** Direction of the bottleneck under test; missing if the link has only one bottleneck. */
  direction?: Direction;
  /** Rate of the bottleneck, bit/s. Each packet counts as its IP length plus `overheadBytes`. */
  rateBps: number;
  /** Bytes added to each packet's IP length: 14 for Ethernet without checksum, as tc counts; 0 for IP. */
  overheadBytes: number;
  /**
   * Drop-tail limit in packets or in bytes; both fields are null if the queue is unlimited or an AQM keeps it short.
   */
  limitPackets: number | null;
  limitBytes: number | null;
  discipline: {
    title: string;
    /** Drop law of the discipline; null if it is unknown. */
    law: DropLaw | null;
    /**
     * Smallest content of the full queue, in packets of any size or in bytes; null if the other field or the limits
     * above determine it.
     */
    roomPackets: number | null;
    roomBytes?: number | null;
  };
  /**
   * Bucket of a token-bucket shaper: bytes that may leave at line rate after an idle time; 0 if every packet is
   * serialised.
   */
  bucketBytes: number;
  /**
   * Step of the clock by which the link's program sends, ms: packets leave together at its ticks, and a packet that
   * finds the link idle waits for the next one. Missing for a program that has no ticks.
   */
  stepMs?: number;
  /**
   * True for a link of which nothing was asked: preflight measures its delays and its rate, and judges nothing. `rateBps` is
   * what the definition says about it. Missing for other links.
   */
  isTold?: true;
  /** Trace that the bottleneck under test follows; missing without one. The other steps test the link without it. */
  trace?: PreflightTrace;
  /** Paths of the link; at least one is `shaped`. */
  paths: readonly PreflightPath[];
  counters(): Promise<PreflightCounters>;
  /**
   * Resets the link: empty queues, counters at zero, loss generators at their start. With `bare`, the link has only its
   * rate, queue and delays. With `loss`, it has its random loss as well. Jitter, reordering and duplication are off in
   * both modes.
   */
  reset(mode: 'bare' | 'loss'): Promise<void>;
};

/** Returns the host named `name`. */
export function endOf({ left, right }: Pick<PreflightBed, 'left' | 'right'>, name: End): Endpoint {
  const found = [...left, ...right].find(({ host }) => host.name === name);
  if (found === undefined) throw new Error(`a path to ${name}, which is no host of the network`);
  return found;
}

/** Hosts between which preflight sends probes. */
export type PreflightBed = {
  router: Host;
  left: readonly Endpoint[];
  right: readonly Endpoint[];
  /** Folder for the files of records that the receivers write. */
  scratch: string;
};
