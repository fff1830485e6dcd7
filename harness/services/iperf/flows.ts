/** The flows of one iperf application, of either kind of sender. */
import type { Network } from '../../../core/system/network.ts';
import type { TcpRecord } from '../../record/series/tcp.ts';
import type { TransportReading } from '../../record/transport.ts';
import type { TcpSocket } from '../../trial/collect/tcp-sockets.ts';
import type { TrialContext } from '../service.ts';
import type { SocketReading } from './sockets.ts';

export type FlowsContext = {
  network: Network;
  /** Longest time that the flows may run, ms. They then end even if the harness is gone. */
  maxMs: number;
  /** Base round-trip time of the path, ms. Undefined: 0. */
  baseRttMs?: number;
  write: TrialContext['write'];
  /** Called when a flow has ended. `number`: from 1, in the order of the ends. */
  over?(flow: { timeMs: number; number: number; durationMs: number; bytes: number }): void;
};

/** Data sockets of the flows at both ends. */
export type Ends = { senders: SocketReading; receivers: SocketReading };

export interface Flows {
  /** Rejects if a program of the flows ends before `stop`. */
  readonly failed: Promise<never>;
  /** Called once. Resolves when the first flow sends; if all begin at once, when all of them send. */
  begin(): Promise<void>;
  /** Reads the sockets of both ends once, and writes them into the series. */
  sample(): Promise<Ends>;
  /**
   * Congestion control that the flows really use, as the kernel reports it. Throws `service-failed` if it is not the
   * requested one.
   */
  read(ends?: Ends): Promise<TransportReading>;
  /** May be called before `begin`. */
  stop(): Promise<void>;
}

/** Longest wait for a receiver to listen and for a sender to send, ms. */
export const startMs = 8000;

/** `port`: the port that names the flow. */
export function tcpRecord(end: TcpRecord['end'], socket: TcpSocket, port: number, timeMs: number): TcpRecord {
  const { localPort: _local, peerPort: _peer, peerAddress: _address, version: _version, ...rest } = socket;
  return { timeMs, end, port, ...rest };
}
