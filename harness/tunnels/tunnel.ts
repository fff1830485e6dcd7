/**
 * The port of a tunnel: two programs that carry the UDP packets of an application inside another protocol. One runs at
 * its server, the other at its client.
 */

import type { Plugin } from '../../core/plugins.ts';
import type { z } from '../../core/schema/schema.ts';
import type { Endpoint } from '../../core/system/network.ts';
import type { TunnelRecord } from '../record/series/tunnel.ts';

/** Hosts and addresses of a tunnel, and the traffic that it carries. */
export type TunnelPlace = {
  /** The two ends on the link. */
  server: Endpoint;
  client: Endpoint;
  /**
   * Address at which the application's server receives UDP. The server's end sends to it. The client's end has the same
   * address on its own side and listens there.
   */
  served: { address: string; port: number };
  /** Folder for the tunnel's files; the tunnel creates it if it needs one. */
  directory: string;
  onReport(record: TunnelRecord): void;
};

export interface RunningTunnel {
  /** Rejects with the reason if an end dies before `stop`. */
  readonly failed: Promise<never>;
  /** Facts for the record: stack, version and the last report of each end. */
  describe(): Record<string, unknown>;
  /** Ends the tunnel at any time. */
  stop(): Promise<void>;
}

/** The export of a tunnel's folder. `P`: its checked parameters. */
export type TunnelPlugin<P = unknown> = Plugin & {
  params: z.ZodType<P>;
  /** Short text for lists of paths: "QUIC datagrams, CUBIC (noq)". */
  describe(params: P): string;
  /** UDP port of the server's end on the link. A packet neither from nor to this port bypasses the tunnel. */
  port: number;
  /** Throws if this machine or the parameters cannot run the tunnel; called before anything is started. */
  check(params: P): Promise<void>;
  /** Starts both ends; packets pass once this has resolved. */
  open(place: TunnelPlace, params: P): Promise<RunningTunnel>;
};
