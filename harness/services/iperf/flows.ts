/** The flows of one iperf application, with either kind of sender. */
import type { Network } from '../../../core/system/network.ts';
import type { TcpRecord } from '../../record/series/tcp.ts';
import type { TransportReading } from '../../record/transport.ts';
import type { TcpSocket } from '../../trial/collect/tcp-sockets.ts';
import type { TrialContext } from '../service.ts';
import type { SocketReading } from './sockets.ts';

export type FlowsContext = {
  network: Network;
  /** Longest time that the flows may run, ms. After this time they end even if the harness is gone. */
  maxMs: number;
  /** Base round-trip time of the path, ms. Undefined: 0. */
  baseRttMs?: number;
  write: TrialContext['write'];
  /** Called when a flow has ended. `number`: position of the flow in the order in which flows end, from 1. */
  over?(flow: { timeMs: number; number: number; durationMs: number; bytes: number }): void;
};

/** Sockets at both ends that carry the data of the flows. */
export type Ends = { senders: SocketReading; receivers: SocketReading };

export interface Flows {
  /** Rejects if a program of the flows ends before `stop`. */
  readonly failed: Promise<never>;
  /**
   * Begins the flows; called once. Resolves when the first flow sends, or, if all begin at once, when all of them send.
   */
  begin(): Promise<void>;
  /** Reads the sockets of both ends once, and writes them into the series. */
  sample(): Promise<Ends>;
  /**
   * Returns the congestion control that the flows really use, as the kernel reports it. Throws `service-failed` if it
   * is not the requested one.
   */
  read(ends?: Ends): Promise<TransportReading>;
  /** Ends the flows; may be called before `begin`. */
  stop(): Promise<void>;
}

/** Longest wait for a receiver to listen and for a sender to send, ms. */
export const startMs = 8000;

/** Returns the record of a socket. `port`: port that identifies the flow in the record. */
export function tcpRecord(end: TcpRecord['end'], socket: TcpSocket, port: number, timeMs: number): TcpRecord {
  const { localPort: _local, peerPort: _peer, peerAddress: _address, version: _version, ...rest } = socket;
  return { timeMs, end, port, ...rest };
}
