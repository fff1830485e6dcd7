/** The services, AQMs and tunnels that there are. */
import { loadPlugins } from '../../core/plugins.ts';
import type { AqmPlugin } from '../../shaper/aqm/aqm.ts';
import type { ServicePlugin } from '../services/service.ts';
import type { TunnelPlugin } from '../tunnels/tunnel.ts';

export type RunnerRegistries = {
  services: Map<string, ServicePlugin>;
  aqms: Map<string, AqmPlugin>;
  tunnels: Map<string, TunnelPlugin>;
};

export async function loadRegistries(): Promise<RunnerRegistries> {
  return {
    services: await loadPlugins<ServicePlugin>(new URL('../services/', import.meta.url), 'service'),
    aqms: await loadPlugins<AqmPlugin>(new URL('../../shaper/aqm/', import.meta.url), 'AQM'),
    tunnels: await loadPlugins<TunnelPlugin>(new URL('../tunnels/', import.meta.url), 'tunnel'),
  };
}
