/** Trials that lie far from the others of their condition. They are named but not left out. */
import { tukeyFences } from '../../../core/stats/outliers.ts';
import type { Outlier, TrialSummary } from './summary.ts';

/** `trials`: valid trials of one condition. */
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
