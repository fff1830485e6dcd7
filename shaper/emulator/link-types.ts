/**
 * What coexist-link (native/) is told: the objects of its JSON lines, field for field.
 *
 * The program checks every field itself and names the one that is wrong. Times are microseconds and may have
 * decimals; bytes are IP bytes plus `overheadBytes` for each packet.
 */
import type { Direction, LossModel } from '../../core/vocabulary/link.ts';
import type { EmulatedAqm } from '../aqm/aqm.ts';

export type { Direction };

/** The path between a peer and the client, in one direction. */
export type LinkPath = {
  direction: Direction;
  /** IPv4 address: the source of "down", the destination of "up". */
  peer: string;
  /** In this direction, 0 to 60 s. */
  delayUs: number;
  /**
   * Added delay between 0 and `maxUs`, without reordering (RFC 8868 section 4.5.2; a standard deviation is a third of
   * `maxUs`).
   */
  jitter?: { maxUs: number } | null;
  /**
   * Where it is `before`, a lost packet takes no room in the queue. The Gilbert-Elliott model starts in the good state.
   */
  loss?: LossModel | null;
  /** Packets that leave `delayUs` later than their turn and hold up no other. */
  reorder?: { ratio: number; delayUs: number } | null;
  /** Packets that arrive twice. */
  duplicateRatio?: number;
};

/** A change of the rate at a time from `start`; a ramp is linear from the rate before and ends before the next step. */
type RateStep = { atUs: number; rateBps: number; rampUs?: number };

export type LinkBottleneck = {
  /** Not used with a trace. */
  rateBps: number;
  /**
   * Limits of the queue, the packet being sent included; null: none. At most 30 000 packets; whatever the limit, no
   * more fit (`noRoomPackets`).
   */
  limitPackets: number | null;
  limitBytes: number | null;
  /**
   * In place of `limitBytes`: what the link sends in that time at its rate of the moment; what waits stays, also where
   * it is more.
   */
  limitUs?: number;
  aqm: EmulatedAqm;
  /** Mark what can be marked instead of dropping it. */
  ecn: boolean;
  schedule?: RateStep[];
  /** A file in mahimahi's format: a time in ms a line, 1500 bytes each; it repeats, and what is not used is lost. */
  trace?: { file: string } | null;
};

export type LinkConfig = {
  /** A whole number below 2^53. */
  seed: number;
  /** 14: Ethernet frames, as tc counts; 0: IP. */
  overheadBytes: number;
  /** A packet whose peer has no path passes at once, past the bottleneck, too. */
  paths: LinkPath[];
  /** What "down" packets meet behind their path; null: nothing, the path is all. */
  bottleneck: LinkBottleneck | null;
  /** The same for "up" packets; left out: nothing. */
  up?: LinkBottleneck | null;
};
