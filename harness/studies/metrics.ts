/** Loads the metrics and their quantities. */
import { loadPlugins } from '../../core/plugins.ts';
import type { MetricPlugin, Quantity } from '../analysis/metrics/metric.ts';

export async function loadMetrics(): Promise<MetricPlugin[]> {
  return [...(await loadPlugins<MetricPlugin>(new URL('../analysis/metrics/', import.meta.url), 'metric')).values()];
}

export async function loadQuantities(): Promise<Quantity[]> {
  return (await loadMetrics()).flatMap(metric => metric.quantities);
}
