/**
 * Interface of a sender-side congestion controller, in the terms of libwebrtc's network controller
 * (api/transport/network_control.h, network_types.h). Input: events. Output: what the sender may do.
 *
 * A controller is pure: it has no timers, no I/O, no clock and no source of randomness. Time is an argument, in
 * milliseconds of the sender's clock, and never goes back. The same calls give the same answers.
 */

import type { Plugin } from '../../core/plugins.ts';
import type { PacketKind } from '../../core/vocabulary/packet-kind.ts';

export type SentPacket = {
  /** Transport-wide sequence number, unwrapped, so that it never decreases. */
  sequence: number;
  sentMs: number;
  /** Size on the wire, including RTP, SRTP tag, UDP and IP. */
  sizeBytes: number;
  kind: PacketKind;
  /** Id of the probe cluster that the packet belongs to. */
  probe?: number;
  /** Bytes in flight including this packet: sent, and neither acknowledged nor lost. */
  inFlightBytes: number;
};

/** The ECN field of the IP header as it arrived (RFC 3168, section 5). */
export type EcnMark = 'not-ect' | 'ect0' | 'ect1' | 'ce';

export type PacketResult = SentPacket & {
  /** Arrival time on the RECEIVER's clock, whose origin is unknown; null if the receiver reports the packet missing. */
  receivedMs: number | null;
  /** Set if the feedback reports ECN: RFC 8888 does, transport-wide feedback does not. */
  ecn?: EcnMark;
};

/** A feedback message, resolved against the packets sent. */
export type Feedback = {
  /** Arrival time of the message at the sender. */
  arrivedMs: number;
  /** Packets in sequence order. A packet reported missing may be reported as received by a later message. */
  packets: PacketResult[];
  /** Bytes in flight after this message; 0, without meaning, in a message without packets. */
  inFlightBytes: number;
  /**
   * Bandwidth estimate of the receiver (REMB), in a separate message. Set only if the plug-in has `feedback: 'remb'`.
   */
  receiverEstimateBps?: number;
  /** Newest round trip from RTCP sender and receiver reports; undefined before the first. */
  rttMs?: number;
};

export type Constraints = {
  minBps: number;
  /** Initial rate. */
  startBps: number;
  /** Highest rate that the media can use; a controller never sets a higher target. */
  maxBps: number;
};

/** A burst of packets at a given rate, which tests whether the path carries that rate. */
export type Probe = {
  /** Increases with every probe of the connection. */
  id: number;
  rateBps: number;
  minPackets: number;
  minBytes: number;
};

/** Bandwidth that a probe measured. */
export type ProbeResult = { id: number; rateBps: number };

/** Permissions for the sender. A field that is not set keeps its last value. */
export type Decision = {
  targetBps?: number;
  pacingBps?: number;
  /** Rate up to which padding fills the gaps of the media. */
  paddingBps?: number;
  /** Limit for the bytes in flight. undefined keeps the last value, Infinity removes the limit. */
  congestionWindowBytes?: number;
  probes?: Probe[];
  /** Results of finished probes, for the record. */
  probed?: ProbeResult[];
  /** Share of the frames that the encoder should skip, 0 to 1; the other frames keep their size. */
  frameDropRatio?: number;
};

/**
 * Named values for the record: rates in bit/s, times in ms, states as words. `traceFields` of the plug-in describes
 * them.
 */
export type Trace = Record<string, number | string>;

export interface Controller {
  onConstraints(constraints: Constraints, nowMs: number): Decision;
  onPacketSent(packet: SentPacket): Decision;
  onFeedback(feedback: Feedback): Decision;
  /**
   * Called with a round trip that RTCP reports have just measured. The next feedback has it, too; this call is for
   * controllers that need it earlier, at the next tick.
   */
  onRoundTrip?(rttMs: number): void;
  /**
   * Called with the losses since the previous RTCP report. Only for controllers that take losses from these reports
   * instead of the feedback.
   */
  onLossReport?(lostPackets: number, expectedPackets: number, nowMs: number): void;
  /** Called about every 25 ms. `queuedBytes`: bytes that wait in the pacer; undefined without a pacer. */
  onTick(nowMs: number, queuedBytes?: number): Decision;
  /** Returns the state after the last call. */
  trace(): Trace;
}

/**
 * Feedback that the receiver is asked for: arrival times of all packets (transport-wide feedback or RFC 8888), or its
 * bandwidth estimate (REMB).
 */
export type FeedbackKind = 'transport' | 'remb';

/** Conditions that a controller is expected to react to: the link's capacity, a silent receiver, heavy loss. */
export type Signal = 'capacity' | 'silence' | 'loss';

export type ControllerPlugin = Plugin & {
  /** Feedback that the controller needs; 'transport' by default. */
  feedback?: FeedbackKind;
  /** Signals that the controller ignores by design. The contract suite tests that it ignores these and no others. */
  ignores?: readonly Signal[];
  /**
   * Bytes that a window-based controller keeps in flight despite any loss. Set if this may be more than the minimum
   * rate needs.
   */
  minWindowBytes?: number;
  /**
   * Names and descriptions of all traced values, for the data dictionary. The name of a number ends in its unit (Bps,
   * Ms, Bytes, Packets, Ratio), or in Gain or Count if it has none. The name of a 0 or 1 begins with is or in. Any
   * other name stands for a word.
   */
  traceFields: Readonly<Record<string, string>>;
  /** `params`: values that the plug-in's schema returned. */
  create(params: never): Controller;
};
