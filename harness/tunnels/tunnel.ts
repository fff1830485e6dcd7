/**
 * The port of a tunnel: two programs that carry the UDP packets of an application inside another protocol. One program
 * runs at the application's server, the other at its client.
 */

import type { Plugin } from '../../core/plugins.ts';
import type { z } from '../../core/schema/schema.ts';
import type { Endpoint } from '../../core/system/network.ts';
import type { TunnelRecord } from '../record/series/tunnel.ts';

/** Hosts and addresses of a tunnel, and the address whose packets it carries. */
export type TunnelPlace = {
  /** Ends of the tunnel, both on the link. */
  server: Endpoint;
  client: Endpoint;
  /**
   * Address at which the application's server receives UDP. The server's end of the tunnel sends packets to it. The
   * client's end has the same address on its side and receives the client's packets there.
   */
  served: { address: string; port: number };
  /** Folder for the tunnel's files. The tunnel creates the folder if it writes files. */
  directory: string;
  onReport(record: TunnelRecord): void;
};

export interface RunningTunnel {
  /** Rejects with the reason if an end dies before `stop`. */
  readonly failed: Promise<never>;
  /** Facts for the record: stack, version and the last report of each end. */
  describe(): Record<string, unknown>;
  /** Ends the tunnel; may be called at any time. */
  stop(): Promise<void>;
}

/** Interface of a tunnel that its folder exports. `P`: type of the checked parameters. */
export type TunnelPlugin<P = unknown> = Plugin & {
  params: z.ZodType<P>;
  /** Returns a short text for lists of paths, such as "QUIC datagrams, CUBIC (noq)". */
  describe(params: P): string;
  /** UDP port of the server's end on the link. A UDP packet on the link without this port bypasses the tunnel. */
  port: number;
  /** Throws if this machine or the parameters cannot run the tunnel; called before anything is started. */
  check(params: P): Promise<void>;
  /** Starts both ends; packets pass once the promise has resolved. */
  open(place: TunnelPlace, params: P): Promise<RunningTunnel>;
};
