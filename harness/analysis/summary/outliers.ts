/**
 * Finds trials whose values lie far from those of the other trials of their condition. Reports name these trials but do
 * not leave them out.
 */
import { tukeyFences } from '../../../core/stats/outliers.ts';
import type { Outlier, TrialSummary } from './summary.ts';

/** Returns the values outside Tukey's fences. `trials`: valid trials of one condition. `ids`: quantities to check. */
export function outliersOf(trials: readonly TrialSummary[], ids: readonly string[]): Outlier[] {
  return ids.flatMap(quantity => {
    const values = trials.flatMap(({ name, metrics }) => {
      const value = metrics![quantity];
      return typeof value === 'number' ? [{ trial: name, value }] : [];
    });
    const fences = tukeyFences(values.map(({ value }) => value));
    return fences === undefined
      ? []
      : values
          .filter(({ value }) => value < fences.low || value > fences.high)
          .map(({ trial, value }) => ({ quantity, trial, value, ...fences }));
  });
}
