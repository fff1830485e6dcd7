/**
 * All series as tables: the recorded series, with the fields that plug-ins describe, and the series that are computed
 * from the recorded ones.
 */
import { loadPlugins } from '../../core/plugins.ts';
import type { ControllerPlugin } from '../../server/congestion/controller.ts';
import { loadSeries } from '../record/load-series.ts';
import type { Described } from '../record/schema/fields.ts';
import type { Series } from '../record/schema/series.ts';
import { controllerSeries } from '../record/series/controller.ts';
import { controllerFields } from './controller-fields.ts';
import type { AllSeries, TableSeries } from './series-table.ts';
import { timelineSeries } from './timeline-series.ts';

export async function allSeries(): Promise<AllSeries> {
  const [recorded, controllers] = await Promise.all([
    loadSeries(),
    loadPlugins<ControllerPlugin>(new URL('../../server/congestion/', import.meta.url), 'controller'),
  ]);
  const fields = controllerFields(controllers.values());
  return {
    ...Object.fromEntries(
      [...recorded].map(([id, series]) => [id, tableOf(series, id === controllerSeries.id ? { fields } : {})]),
    ),
    'frames.timeline': timelineSeries,
  };
}

function tableOf(series: Series, more: Partial<Described>): TableSeries {
  const { title, pace, of, columns } = series;
  return { title, pace, of, ...columns, ...more, rows: async record => series.rowsOf(await record.read(series)) };
}
