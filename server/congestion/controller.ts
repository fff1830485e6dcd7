/**
 * Interface of a sender-side congestion controller, in the terms of libwebrtc's network controller
 * (api/transport/network_control.h, network_types.h). The methods take events and return permissions for the sender.
 *
 * A controller is pure: it has no timers, no I/O, no clock and no source of randomness. Time is an argument, in
 * milliseconds of the sender's clock, and never goes back. The same calls give the same answers.
 */

import type { Plugin } from '../../core/plugins.ts';
import type { z } from '../../core/schema/schema.ts';
import type { EcnField } from '../../core/vocabulary/ecn.ts';
import type { PacketKind } from '../../core/vocabulary/packet-kind.ts';

export type SentPacket = {
  /** Transport-wide sequence number, unwrapped, so that the number never decreases. */
  sequence: number;
  sentMs: number;
  /** Size on the wire: payload, RTP header, SRTP tag, UDP and IP headers. */
  sizeBytes: number;
  kind: PacketKind;
  /** Id of the probe cluster that the packet belongs to; undefined outside of probes. */
  probe?: number;
  /** Bytes in flight including this packet: bytes that were sent and are neither acknowledged nor lost. */
  inFlightBytes: number;
};

export type PacketResult = SentPacket & {
  /** Arrival time on the RECEIVER's clock, whose origin is unknown; null if the receiver reports the packet missing. */
  receivedMs: number | null;
  /**
   * ECN field with which the packet arrived. RFC 8888 feedback reports it; transport-wide feedback does not, and it is
   * undefined then.
   */
  ecn?: EcnField;
};

/** A feedback message from the receiver, with the sent packet of each report. */
export type Feedback = {
  /** Arrival time of the message at the sender. */
  arrivedMs: number;
  /** Packets by ascending sequence number. A packet reported missing may be reported as received by a later message. */
  packets: PacketResult[];
  /** Bytes in flight after this message. In a message without packets the value is 0 and has no meaning. */
  inFlightBytes: number;
  /**
   * Bandwidth estimate of the receiver (REMB), which comes in a separate message. Set only if the plug-in has
   * `feedback: 'remb'`.
   */
  receiverEstimateBps?: number;
  /** Newest round trip from RTCP sender and receiver reports; undefined before the first measurement. */
  rttMs?: number;
};

export type Constraints = {
  minBps: number;
  /** Rate at the start of the stream. */
  startBps: number;
  /** Highest rate that the media can use; a controller never sets a higher target. */
  maxBps: number;
};

/** A burst of packets at a given rate, which tests whether the path carries that rate. */
export type Probe = {
  /** Number of the probe; the first probe of a connection has the lowest. */
  id: number;
  rateBps: number;
  minPackets: number;
  minBytes: number;
};

/** Bandwidth that the probe with this id measured. */
export type ProbeResult = { id: number; rateBps: number };

/** Permissions for the sender. A field that is not set keeps the value of the last decision. */
export type Decision = {
  targetBps?: number;
  pacingBps?: number;
  /** Rate up to which the sender adds padding if the media has a lower rate. */
  paddingBps?: number;
  /** Longest burst of the pacer, as time at the pacing rate, ms. The pacer has 40 ms until a decision sets another. */
  burstMs?: number;
  /** Limit for the bytes in flight. undefined keeps the last limit, Infinity removes it. */
  congestionWindowBytes?: number;
  probes?: Probe[];
  /** Results of the probes that have finished, for the trial's record. */
  probed?: ProbeResult[];
  /** Share of the frames that the encoder should skip, 0 to 1. The bytes of the remaining frames do not change. */
  frameDropRatio?: number;
};

/**
 * Named values for the trial's record: rates in bit/s, times in ms, states as words. `traceFields` of the plug-in
 * describes the values.
 */
export type Trace = Record<string, number | string>;

export interface Controller {
  onConstraints(constraints: Constraints, nowMs: number): Decision;
  onPacketSent(packet: SentPacket): Decision;
  onFeedback(feedback: Feedback): Decision;
  /**
   * Called when RTCP reports have given a new round trip. The next feedback also contains this round trip. The call is
   * for controllers that need the round trip already at the next tick.
   */
  onRoundTrip?(rttMs: number): void;
  /**
   * Called with the losses since the previous RTCP report. For controllers that take losses from these reports and not
   * from the feedback.
   */
  onLossReport?(lostPackets: number, expectedPackets: number, nowMs: number): void;
  /** Called about every 25 ms. `queuedBytes`: bytes that wait in the pacer; undefined if there is no pacer. */
  onTick(nowMs: number, queuedBytes?: number): Decision;
  /** Returns the current values of the controller, for the trial's record. */
  trace(): Trace;
}

/**
 * Feedback that the sender requests from the receiver. 'transport': arrival times of all packets (transport-wide
 * feedback or RFC 8888). 'remb': the receiver's bandwidth estimate.
 */
export type FeedbackKind = 'transport' | 'remb';

/** Conditions to which a controller is expected to react: the link's capacity, a silent receiver, heavy loss. */
export type Signal = 'capacity' | 'silence' | 'loss';

/**
 * Interface of a controller that its folder exports. `P`: type of the checked parameters. The media server binds it to
 * parameters once (bound-controller.ts).
 */
export type ControllerPlugin<P = unknown> = Plugin & {
  params: z.ZodType<P>;
  /** Feedback that the controller needs; 'transport' by default. */
  feedback?: FeedbackKind;
  /**
   * Signals that the controller ignores by design. The contract suite tests that the controller ignores these signals
   * and reacts to all others.
   */
  ignores?: readonly Signal[];
  /**
   * Bytes that a window-based controller keeps in flight despite any loss. Set only if the minimum rate may need fewer
   * bytes.
   */
  minWindowBytes?: number;
  /**
   * Returns the ECN field that the controller's packets should have: ECT(1) if it reacts to CE as L4S demands (RFC 9331,
   * section 4.3), ECT(0) if it reacts to CE as to a loss (RFC 3168). Missing if the controller ignores CE. Then its
   * packets must not be marked, since a mark would only spare them drops.
   */
  ect?(params: P): 'ect0' | 'ect1';
  /**
   * Names and descriptions of all traced values, for the data dictionary. The name of a number ends in its unit (Bps,
   * Ms, Bytes, Packets, Ratio), or in Gain or Count if the number has no unit. The name of a 0 or 1 begins with "is" or
   * "in". All other names stand for words.
   */
  traceFields: Readonly<Record<string, string>>;
  create(params: P): Controller;
};
