/**
 * Transport of a service, read while the service runs: the congestion control of each flow, the evidence for it, and
 * the amount of transferred data.
 */
import type { Bbr3Budget } from '../../shaper/bbr3/telemetry.ts';

export type TransportFlow = {
  port: number;
  /** Number of the client that has the flow, from 1. Missing if the service has one client. */
  client?: number;
  congestionControl: string;
  /**
   * Start of the flow, harness clock. If the start is unknown, it is the time of the first reading that contains the
   * flow.
   */
  startMs: number;
  retransmittedBytes: number | null;
  sentBytes: number | null;
  /** Bytes that the client has received. Null if they are unknown. */
  receivedBytes: number | null;
  /** Counters of BBRv3's state. Missing for other congestion controls. */
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
   * Times of a TCP flow since its start: with data to send, limited by the receiver's window, and limited by the send
   * buffer. Missing in records of older versions.
   */
  limits?: { busyMs: number; receiveWindowLimitedMs: number; sendBufferLimitedMs: number };
  /**
   * Values of a QUIC connection, as its sender reports them. There is no count of retransmitted packets, because QUIC
   * never sends a packet again. `rttMs` is smoothed.
   */
  quic?: {
    congestionWindowBytes: number;
    rttMs: number;
    sentPackets: number;
    lostPackets: number;
    lostBytes: number;
    congestionEvents: number;
  };
};

/** A congestion control that was loaded into the kernel for a study, or by a user. */
export type LoadedCongestionControl = {
  /** Internet draft that the congestion control implements. */
  draft: string;
  /** Hash of the loaded object file, hexadecimal SHA-256. Null if a user loaded it without stating the hash. */
  objectSha256: string | null;
  /** Budget for paths with a small BDP. Missing in records before November 2026, which used the budget of the draft. */
  budget?: Bbr3Budget;
  kernel: string;
  /** True if Coexist loaded the congestion control for this study. False if a user had loaded it permanently. */
  loadedForThis: boolean;
};

/** Flows of a service, as reported by the kernel or by the QUIC stack of the sender. */
export type TransportReading = {
  /**
   * Name of the congestion control: "BBRv1", "CUBIC". It is the kernel's name, with a version if the kernel's name is
   * ambiguous.
   */
  label: string;
  /** Evidence that the flows use this congestion control. */
  evidence: string;
  flows: TransportFlow[];
  loaded?: LoadedCongestionControl;
};
