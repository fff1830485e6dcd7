/** Every series that a record may hold, what the plug-ins say of theirs included. */
import { loadPlugins } from '../../core/plugins.ts';
import type { ControllerPlugin } from '../../server/congestion/controller.ts';
import { controllerFields } from './controller-fields.ts';
import type { SeriesDescriptions } from './field.ts';
import { pathSeries } from './path-series.ts';
import { receiverSeries } from './receiver-series.ts';
import { senderSeries } from './sender-series.ts';
import { serviceSeries } from './service-series.ts';
import { timelineSeries } from './timeline-series.ts';
import { tunnelSeries } from './tunnel-series.ts';

/** By the name of the file without ".jsonl"; that of a computed one is its own. */
export async function allSeries(): Promise<SeriesDescriptions> {
  const controllers = await loadPlugins<ControllerPlugin>(
    new URL('../../server/congestion/', import.meta.url),
    'controller',
  );
  return {
    ...receiverSeries,
    ...senderSeries(controllerFields(controllers.values())),
    ...serviceSeries,
    ...pathSeries,
    ...tunnelSeries,
    ...timelineSeries,
  };
}
