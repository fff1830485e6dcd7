/** Computes quantities of a metric at a bottleneck: those of an application, those of the link, or both. */
import type { TrialRecord } from '../../record/trial-record.ts';
import type { MetricPlugin, MetricValues, Quantity } from '../metrics/metric.ts';

export const isOfLink = ({ of }: Pick<Quantity, 'of'>): boolean => of === 'link';

/**
 * Returns at least the values of the quantities in `wanted`. `record`: the application, and the bottleneck of the
 * values. A metric with quantities of both kinds computes only those kinds that are wanted.
 */
export async function compute(
  metric: MetricPlugin,
  record: TrialRecord,
  wanted: readonly Quantity[] = metric.quantities,
): Promise<MetricValues> {
  if (metric.computeLink === undefined) return metric.compute(record);
  const [own, link] = await Promise.all([
    wanted.every(isOfLink) ? {} : metric.compute(record),
    wanted.some(isOfLink) ? metric.computeLink(record) : {},
  ]);
  return { ...own, ...link };
}
