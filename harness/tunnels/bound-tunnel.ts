/** A tunnel as everything outside of its folder uses it: only here is a plug-in called with parameters. */
import type { Plugin } from '../../core/plugins.ts';
import type { RunningTunnel, TunnelPlace, TunnelPlugin } from './tunnel.ts';

/** With parameters that its schema has made. See `TunnelPlugin`. */
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
