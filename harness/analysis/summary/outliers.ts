/**
 * Finds trials whose values lie far from those of the other trials of their condition. Reports name these trials but do
 * not leave them out.
 */
import { tukeyFences } from '../../../core/stats/outliers.ts';
import type { ValueName } from '../../../core/vocabulary/subject.ts';
import type { Outlier, TrialSummary } from './summary.ts';

/**
 * Returns the values outside Tukey's fences. `trials`: valid trials of one condition. `names`: values to check, of the
 * subject or of the other applications together.
 */
export function outliersOf(trials: readonly TrialSummary[], names: readonly ValueName[]): Outlier[] {
  return names.flatMap(({ metric: quantity, of }) => {
    const values = trials.flatMap(({ name, metrics, together }) => {
      const value = (of === undefined ? metrics : together)![quantity];
      return typeof value === 'number' ? [{ trial: name, value }] : [];
    });
    const fences = tukeyFences(values.map(({ value }) => value));
    return fences === undefined
      ? []
      : values
          .filter(({ value }) => value < fences.low || value > fences.high)
          .map(({ trial, value }) => ({ quantity, ...(of === undefined ? {} : { of }), trial, value, ...fences }));
  });
}
