/** The services and AQMs that there are. */
import { loadPlugins } from '../../core/plugins.ts';
import type { ServicePlugin } from '../services/service.ts';
import type { AqmPlugin } from '../../shaper/aqm/aqm.ts';

export type RunnerRegistries = { services: Map<string, ServicePlugin>; aqms: Map<string, AqmPlugin> };

export async function loadRegistries(): Promise<RunnerRegistries> {
  return {
    services: await loadPlugins<ServicePlugin>(new URL('../services/', import.meta.url), 'service'),
    aqms: await loadPlugins<AqmPlugin>(new URL('../../shaper/aqm/', import.meta.url), 'AQM'),
  };
}
