/** The flows of one iperf application, whatever sends them. */
import type { Network } from '../../../core/system/network.ts';
import type { TcpRecord } from '../../record/series/tcp.ts';
import type { TransportReading } from '../../record/transport.ts';
import type { TcpSocket } from '../../trial/collect/tcp-sockets.ts';
import type { TrialContext } from '../service.ts';
import type { SocketReading } from './sockets.ts';

export type FlowsContext = {
  network: Network;
  /** The longest that they may run: they end by themselves then, whatever happens to the harness. */
  maxMs: number;
  /** Base round-trip time of the path, ms; 0 where not said. */
  baseRttMs?: number;
  write: TrialContext['write'];
  /** A flow has come to its end: its number, from 1 in the order of their ends. */
  over?(flow: { timeMs: number; number: number; durationMs: number; bytes: number }): void;
};

/** The flows' own sockets at both ends. */
export type Ends = { senders: SocketReading; receivers: SocketReading };

export interface Flows {
  /** Rejects when a program of it ends before `stop`. */
  readonly failed: Promise<never>;
  /** Called once. Resolves when the first flow sends; where they begin at once, all of them. */
  begin(): Promise<void>;
  /** Reads the sockets of both ends once, into the series. */
  sample(): Promise<Ends>;
  /** What really runs, told by the kernel. Throws `service-failed` where it is not what was asked for. */
  read(ends?: Ends): Promise<TransportReading>;
  /** Also before it has begun. */
  stop(): Promise<void>;
}

/** How long a receiver may take to listen, and a sender to send. */
export const startMs = 8000;

/** `port` names the flow. */
export function tcpRecord(end: TcpRecord['end'], socket: TcpSocket, port: number, timeMs: number): TcpRecord {
  const { localPort: _local, peerPort: _peer, peerAddress: _address, version: _version, ...rest } = socket;
  return { timeMs, end, port, ...rest };
}
