/**
 * The interface of a sender-side congestion controller, with the terms of libwebrtc's network controller
 * (api/transport/network_control.h, network_types.h). Its input is what happened, its output what the sender may do.
 *
 * A controller is pure: no timers, no I/O, no clock and no randomness of its own. Time is an argument,
 * in milliseconds of the sender's clock, and never goes back. The same calls give the same answers.
 */

import type { Plugin } from '../../core/plugins.ts';
import type { PacketKind } from '../../core/vocabulary/packet-kind.ts';

export type SentPacket = {
  /** Transport-wide sequence number, unwrapped: it only grows. */
  sequence: number;
  sentMs: number;
  /** Size on the wire from the IP header on: RTP, SRTP tag, UDP and IP included. */
  sizeBytes: number;
  kind: PacketKind;
  /** Id of the probe cluster the packet was sent for. */
  probe?: number;
  /** Bytes sent and neither acknowledged nor lost, this packet included. */
  inFlightBytes: number;
};

/** The ECN field of the IP header as it arrived (RFC 3168, section 5). */
export type EcnMark = 'not-ect' | 'ect0' | 'ect1' | 'ce';

export type PacketResult = SentPacket & {
  /** Arrival time on the RECEIVER's clock, whose origin is unknown; null when the receiver reports it missing. */
  receivedMs: number | null;
  /** Where the feedback tells of it: RFC 8888 does, transport-wide feedback does not. */
  ecn?: EcnMark;
};

/** One feedback message, resolved against what was sent. */
export type Feedback = {
  /** When the message reached the sender. */
  arrivedMs: number;
  /** In sequence order. A packet reported missing may be reported again, as received, by a later message. */
  packets: PacketResult[];
  /** Bytes in flight after this message; 0 in a message without packets, which says nothing of them. */
  inFlightBytes: number;
  /**
   * The receiver's own estimate of the bandwidth (REMB), in a message of its own; only where the plug-in asks for it.
   */
  receiverEstimateBps?: number;
  /** Newest round trip from RTCP sender and receiver reports, where one is known. */
  rttMs?: number;
};

export type Constraints = {
  minBps: number;
  /** Rate to start from. */
  startBps: number;
  /** Most that the media can use; a controller never sets a higher target. */
  maxBps: number;
};

/** A burst of packets at a given rate, to learn whether the path carries it. */
export type Probe = {
  /** Grows with every probe of the connection. */
  id: number;
  rateBps: number;
  minPackets: number;
  minBytes: number;
};

/** What a probe found. */
export type ProbeResult = { id: number; rateBps: number };

/** What is allowed now. A field that is not set stays as it was. */
export type Decision = {
  /** Rate for the encoder. */
  targetBps?: number;
  /** Rate at which the pacer may send. */
  pacingBps?: number;
  /** Rate up to which padding fills what the media leaves empty. */
  paddingBps?: number;
  /** Bytes that may be in flight; undefined stays, Infinity lifts it. */
  congestionWindowBytes?: number;
  probes?: Probe[];
  /** What was taken from probes, for the record. */
  probed?: ProbeResult[];
  /** Share of the frames that the encoder should skip, 0 to 1; the other frames keep their size. */
  frameDropRatio?: number;
};

/**
 * Named values for the record: rates in bit/s, times in ms, states as words. The plug-in says of each what it is.
 */
export type Trace = Record<string, number | string>;

export interface Controller {
  onConstraints(constraints: Constraints, nowMs: number): Decision;
  onPacketSent(packet: SentPacket): Decision;
  onFeedback(feedback: Feedback): Decision;
  /**
   * A round trip that RTCP reports have just measured. It is also part of the next feedback; this call is for
   * controllers that need it earlier, at the next tick.
   */
  onRoundTrip?(rttMs: number): void;
  /**
   * Losses since the previous RTCP report. Only for controllers that take losses from these reports and not from the
   * feedback.
   */
  onLossReport?(lostPackets: number, expectedPackets: number, nowMs: number): void;
  /** Called every 25 ms or so, with the bytes that wait in the pacer where the caller has one. */
  onTick(nowMs: number, queuedBytes?: number): Decision;
  /** The state after the last call. */
  trace(): Trace;
}

/**
 * What the receiver is asked for: arrival times of all packets (transport-wide feedback, or RFC 8888), or its own
 * estimate (REMB).
 */
export type FeedbackKind = 'transport' | 'remb';

/** What a controller is expected to react to: the link's capacity, a receiver that falls silent, heavy loss. */
export type Signal = 'capacity' | 'silence' | 'loss';

export type ControllerPlugin = Plugin & {
  /** What it works with; 'transport' where it says nothing. */
  feedback?: FeedbackKind;
  /**
   * Signals that it ignores by design. The contract suite tests that it ignores them, and that other controllers do
   * not.
   */
  ignores?: readonly Signal[];
  /**
   * Bytes that a window-based controller keeps in flight whatever is lost, where that may be more than the minimum rate
   * needs.
   */
  minWindowBytes?: number;
  /**
   * Every name in its traces, and what it is, for the data dictionary. A name of a number ends in its unit (Bps, Ms,
   * Bytes, Packets, Ratio), in Gain or Count for a number without one, or begins with is or in for 0 and 1; any other
   * name is that of a word.
   */
  traceFields: Readonly<Record<string, string>>;
  /** `params` is what the plug-in's own schema returned. */
  create(params: never): Controller;
};
