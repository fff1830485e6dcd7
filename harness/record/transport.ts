/**
 * The transport of a service in use, read back while it runs: which congestion control each flow has, how that is
 * known, and what it has carried.
 */
import type { Bbr3Budget } from '../../shaper/bbr3/telemetry.ts';

export type TransportFlow = {
  port: number;
  /** Number of its client, from 1; missing where the service has one client. */
  client?: number;
  congestionControl: string;
  /** When the flow began, harness clock; where it cannot be known, when it was seen first. */
  startMs: number;
  retransmittedBytes: number | null;
  sentBytes: number | null;
  /** What the client has taken of it. */
  receivedBytes: number | null;
  /** What its congestion control tells of itself: only BBRv3 does. */
  model?: {
    version: number;
    rounds: number;
    lossRounds: number;
    probeRttEpisodes: number;
    transitions: number;
    ringHits: number;
    ringMisses: number;
  };
  /**
   * Of a TCP flow, since it began: how long it had data to send, and how long of that the receiver's window or its own
   * send buffer held it back. Missing in records of older versions.
   */
  limits?: { busyMs: number; receiveWindowLimitedMs: number; sendBufferLimitedMs: number };
  /** Of a QUIC connection, which sends no packet again: what its own end tells; the round trip is the smoothed one. */
  quic?: {
    congestionWindowBytes: number;
    rttMs: number;
    sentPackets: number;
    lostPackets: number;
    lostBytes: number;
    congestionEvents: number;
  };
};

/** A congestion control that was put into the kernel. */
export type LoadedCongestionControl = {
  /** The text that it follows. */
  draft: string;
  /** Of the object that was loaded; null where it was loaded by hand, without its hash. */
  objectSha256: string | null;
  /**
   * Which budget small BDPs are reckoned with; missing in records of before November 2026, when there was only the
   * draft's.
   */
  budget?: Bbr3Budget;
  kernel: string;
  /** False where somebody had loaded it to stay. */
  loadedForThis: boolean;
};

/** What a service's flows really are, as their sender's kernel or QUIC tells. */
export type TransportReading = {
  /** "BBRv1", "CUBIC": the kernel's name, with the version where the name has several. */
  label: string;
  /** How the label is known. */
  evidence: string;
  flows: TransportFlow[];
  loaded?: LoadedCongestionControl;
};
