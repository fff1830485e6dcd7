/** What a flood is: competing traffic from the flooder to the client, through the same bottleneck. */
import type { Lease } from '../../core/lease.ts';
import type { Network } from '../../core/network.ts';
import type { Plugin } from '../../core/plugins.ts';
import type { Bbr3Budget } from '../../shaper/bbr3/telemetry.ts';
import type { Bbr3Record, TcpRecord } from '../record/series.ts';
import type { TransportReading } from '../record/transport.ts';

export type FloodContext = {
  network: Network;
  /** The longest that it may run: it ends by itself then, whatever happens to the harness. */
  maxMs: number;
  /** Where what the flood puts into the kernel is written down before it is put there; whoever runs the study takes it away. */
  lease: Pick<Lease, 'addCongestionControl' | 'congestionControls'>;
  record(record: TcpRecord): void;
  /** What a flow's congestion control tells of itself. */
  model(record: Bbr3Record): void;
};

export interface RunningFlood {
  /** Rejects when the flood ends before `stop`. */
  readonly failed: Promise<never>;
  /** Reads the sockets once, for the record. Called once a second and at both ends of the window. */
  sample(): Promise<unknown>;
  /** What really runs, read back from the kernel while it runs. */
  read(): Promise<TransportReading>;
  stop(): Promise<void>;
}

export type FloodPlugin = Plugin & {
  /** The budget with which it needs BBRv3 in the kernel; null: it does not. Not there: it never does. */
  neededBbr3?(params: never): Bbr3Budget | null;
  /** Throws where this machine cannot run it; called before anything is started. */
  check(network: Network | undefined, params: never): Promise<void>;
  /** Resolves when the traffic has begun; null when there is none to wait for. */
  start(context: FloodContext, params: never): Promise<RunningFlood | null>;
};
