/** The services, floods and AQMs that there are. */
import { loadPlugins } from '../../core/plugins.ts';
import type { FloodPlugin } from '../floods/flood.ts';
import type { ServicePlugin } from '../services/service.ts';
import type { AqmPlugin } from '../../shaper/aqm/aqm.ts';

export type RunnerRegistries = { services: Map<string, ServicePlugin>; floods: Map<string, FloodPlugin>; aqms: Map<string, AqmPlugin> };

export async function loadRegistries(): Promise<RunnerRegistries> {
  return {
    services: await loadPlugins<ServicePlugin>(new URL('../services/', import.meta.url), 'service'),
    floods: await loadPlugins<FloodPlugin>(new URL('../floods/', import.meta.url), 'flood'),
    aqms: await loadPlugins<AqmPlugin>(new URL('../../shaper/aqm/', import.meta.url), 'AQM'),
  };
}
