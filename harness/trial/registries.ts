/** Loads all services, AQMs and tunnels. */
import { loadPlugins, type Plugin } from '../../core/plugins.ts';
import type { AqmPlugin } from '../../shaper/aqm/aqm.ts';
import { type Service, serviceOf } from '../services/bound-service.ts';
import type { ServicePlugin } from '../services/service.ts';
import { type Tunnel, tunnelOf } from '../tunnels/bound-tunnel.ts';
import type { TunnelPlugin } from '../tunnels/tunnel.ts';

export type RunnerRegistries = {
  services: Map<string, Service>;
  aqms: Map<string, AqmPlugin>;
  tunnels: Map<string, Tunnel>;
};

async function loadBound<P extends Plugin, B>(
  folder: string,
  kind: string,
  of: (plugin: P) => B,
): Promise<Map<string, B>> {
  const plugins = await loadPlugins<P>(new URL(folder, import.meta.url), kind);
  return new Map([...plugins].map(([id, plugin]) => [id, of(plugin)]));
}

export async function loadRegistries(): Promise<RunnerRegistries> {
  return {
    services: await loadBound<ServicePlugin, Service>('../services/', 'service', serviceOf),
    aqms: await loadPlugins<AqmPlugin>(new URL('../../shaper/aqm/', import.meta.url), 'AQM'),
    tunnels: await loadBound<TunnelPlugin, Tunnel>('../tunnels/', 'tunnel', tunnelOf),
  };
}
