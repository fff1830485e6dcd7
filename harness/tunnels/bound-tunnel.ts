/**
 * The interface through which all other code uses a tunnel. Only this file calls the functions of a plug-in with
 * parameters.
 */
import { type Bindable, bindable } from '../../core/plugins.ts';
import type { RunningTunnel, TunnelPlace, TunnelPlugin } from './tunnel.ts';

/** A tunnel together with its checked parameters. See `TunnelPlugin` for the members. */
export type BoundTunnel = Pick<TunnelPlugin, 'title' | 'port'> & {
  describe(): string;
  check(): Promise<void>;
  open(place: TunnelPlace): Promise<RunningTunnel>;
};

export type Tunnel = Bindable<BoundTunnel>;

export function tunnelOf(plugin: TunnelPlugin): Tunnel {
  const { title, port } = plugin;
  return bindable(plugin, params => ({
    title,
    port,
    describe: () => plugin.describe(params),
    check: () => plugin.check(params),
    open: place => plugin.open(place, params),
  }));
}
