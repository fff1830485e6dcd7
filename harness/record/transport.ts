/**
 * Transport of a service, read while it runs: the congestion control of each flow, the evidence for it, and the amount
 * of data carried.
 */
import type { Bbr3Budget } from '../../shaper/bbr3/telemetry.ts';

export type TransportFlow = {
  port: number;
  /** Number of its client, from 1. Missing if the service has one client. */
  client?: number;
  congestionControl: string;
  /** Start of the flow, harness clock. If it is unknown, the time of the first reading that has the flow. */
  startMs: number;
  retransmittedBytes: number | null;
  sentBytes: number | null;
  /** Bytes that the client has received. */
  receivedBytes: number | null;
  /** State of the congestion control. Only BBRv3 reports it. */
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
   * TCP flow since its start: time with data to send, and the parts of it in which the receiver's window or the send
   * buffer limited the flow. Missing in records of older versions.
   */
  limits?: { busyMs: number; receiveWindowLimitedMs: number; sendBufferLimitedMs: number };
  /** QUIC connection, as its sender reports it. QUIC sends no packet again. `rttMs` is smoothed. */
  quic?: {
    congestionWindowBytes: number;
    rttMs: number;
    sentPackets: number;
    lostPackets: number;
    lostBytes: number;
    congestionEvents: number;
  };
};

/** A congestion control that was loaded into the kernel. */
export type LoadedCongestionControl = {
  /** The draft that it implements. */
  draft: string;
  /** Hash of the loaded object. Null if a user loaded it without its hash. */
  objectSha256: string | null;
  /** Budget used for small BDPs. Missing in records before November 2026, which used that of the draft. */
  budget?: Bbr3Budget;
  kernel: string;
  /** False if a user had loaded it permanently. */
  loadedForThis: boolean;
};

/** Flows of a service, as the kernel or the QUIC stack of the sender reports them. */
export type TransportReading = {
  /** "BBRv1", "CUBIC": name in the kernel, with a version if the name is ambiguous. */
  label: string;
  /** Evidence for the label. */
  evidence: string;
  flows: TransportFlow[];
  loaded?: LoadedCongestionControl;
};
