/**
 * What a tunnel is: a pair of programs between which the UDP packets of an application travel inside another protocol,
 * one beside its server and one beside its client.
 */

import type { Plugin } from '../../core/plugins.ts';
import type { z } from '../../core/schema/schema.ts';
import type { Endpoint } from '../../core/system/network.ts';
import type { TunnelRecord } from '../record/series/tunnel.ts';

/** Where a tunnel runs, and what it carries. */
export type TunnelPlace = {
  /** Its two ends on the link. */
  server: Endpoint;
  client: Endpoint;
  /**
   * Where the application's server takes UDP. The server's end sends there; the client's end has the same address and
   * listens there in its place.
   */
  served: { address: string; port: number };
  /** Folder for files of its own; the tunnel makes it where it needs one. */
  directory: string;
  /** Told of every report of an end. */
  onReport(record: TunnelRecord): void;
};

export interface RunningTunnel {
  /** Rejects when an end of it ends before `stop`, with the reason. */
  readonly failed: Promise<never>;
  /** Facts for the record: stack and version, what the ends told last. */
  describe(): Record<string, unknown>;
  /** Ends it, at whatever time. */
  stop(): Promise<void>;
}

/** The export of a tunnel's folder. `P`: its parameters, checked. */
export type TunnelPlugin<P = unknown> = Plugin & {
  params: z.ZodType<P>;
  /** In a few words, for lists of paths: "QUIC datagrams, CUBIC (noq)". */
  describe(params: P): string;
  /** Port of the server's end on the link: what is neither from nor to it goes past the tunnel. */
  port: number;
  /** Throws where this machine or the parameters cannot do it; called before anything is started. */
  check(params: P): Promise<void>;
  /** Starts both ends; packets pass when this has resolved. */
  open(place: TunnelPlace, params: P): Promise<RunningTunnel>;
};
