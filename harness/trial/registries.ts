/** Loads all services, AQMs and tunnels. */
import { loadBindable } from '../../core/plugins.ts';
import { type Aqm, loadAqms } from '../../shaper/aqm/bound-aqm.ts';
import { type Service, serviceOf } from '../services/bound-service.ts';
import { type Tunnel, tunnelOf } from '../tunnels/bound-tunnel.ts';

export type RunnerRegistries = {
  services: Map<string, Service>;
  aqms: Map<string, Aqm>;
  tunnels: Map<string, Tunnel>;
};

export async function loadRegistries(): Promise<RunnerRegistries> {
  return {
    services: await loadBindable(new URL('../services/', import.meta.url), 'service', serviceOf),
    aqms: await loadAqms(),
    tunnels: await loadBindable(new URL('../tunnels/', import.meta.url), 'tunnel', tunnelOf),
  };
}
