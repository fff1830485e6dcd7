/**
 * The interface through which all other code uses a tunnel. Only this file calls the functions of a plug-in with
 * parameters.
 */
import type { Plugin } from '../../core/plugins.ts';
import type { RunningTunnel, TunnelPlace, TunnelPlugin } from './tunnel.ts';

/** A tunnel together with its checked parameters. See `TunnelPlugin` for the members. */
export type BoundTunnel = Pick<TunnelPlugin, 'title' | 'port'> & {
  describe(): string;
  check(): Promise<void>;
  open(place: TunnelPlace): Promise<RunningTunnel>;
};

export type Tunnel = Plugin & { bound(params: unknown): BoundTunnel };

export function tunnelOf(plugin: TunnelPlugin): Tunnel {
  const { id, title, source, params: schema, port } = plugin;
  return {
    id,
    title,
    source,
    params: schema,
    bound: params => ({
      title,
      port,
      describe: () => plugin.describe(params),
      check: () => plugin.check(params),
      open: place => plugin.open(place, params),
    }),
  };
}
