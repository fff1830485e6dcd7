/**
 * Requests of coexist-link (native/): the objects of its JSON lines, field for field.
 *
 * The program checks every field itself and names an invalid one. Times are microseconds and may have decimals; bytes
 * are IP bytes plus `overheadBytes` for each packet.
 */
import type { Direction, LossModel } from '../../core/vocabulary/link.ts';
import type { EmulatedAqm } from '../aqm/aqm.ts';

export type { Direction };

/** Path between a peer and the clients in one direction. */
export type LinkPath = {
  direction: Direction;
  /** IPv4 address of the peer: the source of packets of direction "down", the destination in direction "up". */
  peer: string;
  /** Delay in this direction, us, 0 to 60 s. */
  delayUs: number;
  /**
   * Largest added delay, us. The added delay is from 0 to `maxUs` without reordering, and its standard deviation is a
   * third of `maxUs` (RFC 8868 section 4.5.2).
   */
  jitter?: { maxUs: number } | null;
  /**
   * Random loss. With `before`, a lost packet takes no room in the queue. The Gilbert-Elliott model starts in the good
   * state.
   */
  loss?: LossModel | null;
  /** Share of packets that leave `delayUs` late without delaying other packets. */
  reorder?: { ratio: number; delayUs: number } | null;
  /** Share of packets that arrive twice. */
  duplicateRatio?: number;
};

/**
 * Change of the rate at `atUs` after `start`. A ramp is linear from the previous rate and ends before the next step.
 */
type RateStep = { atUs: number; rateBps: number; rampUs?: number };

export type LinkBottleneck = {
  /** Rate of the bottleneck, bit/s; not used with a trace. */
  rateBps: number;
  /**
   * Limits of the queue, including the packet in service; null: no limit. The queue never holds more than 30 000
   * packets; packets beyond that count as `noRoomPackets`.
   */
  limitPackets: number | null;
  limitBytes: number | null;
  /**
   * Limit in time, us, in place of `limitBytes`: the bytes that the link sends in that time at its present rate.
   * Waiting packets stay, even above the limit.
   */
  limitUs?: number;
  aqm: EmulatedAqm;
  /** True if packets that support ECN are marked instead of dropped. */
  ecn: boolean;
  schedule?: RateStep[];
  /**
   * A trace: times, each an opportunity for 1500 bytes times `scale` (1 if missing). The trace repeats, and unused
   * opportunities are lost.
   */
  trace?: { file: string; scale?: number } | null;
  /** A table: rates and suspensions (not beside a trace or a schedule), delays, and losses behind the queue. */
  table?: { file: string } | null;
  /** Time of the trace and of the table at which they start, us. */
  offsetUs?: number;
};

export type LinkConfig = {
  /** Seed of the random generators, a whole number below 2^53. */
  seed: number;
  /** Bytes added to each packet's IP length: 14 for Ethernet frames, as tc counts; 0 for IP. */
  overheadBytes: number;
  /** Paths of the link. A packet whose peer has no path passes at once, without the bottleneck. */
  paths: LinkPath[];
  /** Bottleneck of "down" packets, behind their path; null if there is none. */
  bottleneck: LinkBottleneck | null;
  /** Bottleneck of "up" packets; missing or null if there is none. */
  up?: LinkBottleneck | null;
};
