/**
 * Requests of coexist-link (native/): the objects of its JSON lines, field for field.
 *
 * The program checks every field itself and names an invalid one. Times are microseconds and may have decimals; bytes
 * are IP bytes plus `overheadBytes` for each packet.
 */
import type { Direction, LossModel } from '../../core/vocabulary/link.ts';
import type { EmulatedAqm } from '../aqm/aqm.ts';

export type { Direction };

/** Path between a peer and the client in one direction. */
export type LinkPath = {
  direction: Direction;
  /** IPv4 address: source in direction "down", destination in direction "up". */
  peer: string;
  /** Delay in this direction, 0 to 60 s. */
  delayUs: number;
  /**
   * Added delay between 0 and `maxUs`, without reordering (RFC 8868 section 4.5.2; the standard deviation is a third of
   * `maxUs`).
   */
  jitter?: { maxUs: number } | null;
  /** With `before`, a lost packet takes no room in the queue. The Gilbert-Elliott model starts in the good state. */
  loss?: LossModel | null;
  /** Share of packets that leave `delayUs` late without delaying others. */
  reorder?: { ratio: number; delayUs: number } | null;
  /** Share of packets that arrive twice. */
  duplicateRatio?: number;
};

/**
 * Change of the rate at a time since `start`. A ramp is linear from the previous rate and ends before the next step.
 */
type RateStep = { atUs: number; rateBps: number; rampUs?: number };

export type LinkBottleneck = {
  /** Not used with a trace. */
  rateBps: number;
  /**
   * Limits of the queue, including the packet in service; null: none. The maximum is 30 000 packets under every limit;
   * packets beyond it count as `noRoomPackets`.
   */
  limitPackets: number | null;
  limitBytes: number | null;
  /**
   * Replaces `limitBytes`: the bytes that the link sends in that time at its present rate. Waiting packets stay, even
   * above the limit.
   */
  limitUs?: number;
  aqm: EmulatedAqm;
  /** Mark packets that support ECN instead of dropping them. */
  ecn: boolean;
  schedule?: RateStep[];
  /**
   * A trace in mahimahi's format: lines of times in ms, 1500 bytes each. It repeats, and unused opportunities are lost.
   */
  trace?: { file: string } | null;
};

export type LinkConfig = {
  /** A whole number below 2^53. */
  seed: number;
  /** 14: Ethernet frames, as tc counts; 0: IP. */
  overheadBytes: number;
  /** A packet whose peer has no path passes at once, without the bottleneck. */
  paths: LinkPath[];
  /** Bottleneck of "down" packets, behind their path; null: none. */
  bottleneck: LinkBottleneck | null;
  /** Bottleneck of "up" packets; left out: none. */
  up?: LinkBottleneck | null;
};
