/**
 * Judges the results of a run by its thresholds.
 *
 * By default the median over the valid trials is judged. With `judge: 'interval'` the whole interval of the median has
 * to keep the threshold, so that chance cannot explain the result. With fewer than six trials there is no 95 %
 * interval, and such a threshold is missed. With `judge: 'every'` each valid trial is judged separately. A condition
 * without a value also misses its threshold, because it proves nothing. With `judge: 'every'` each trial without a
 * value misses the threshold, too.
 */
import { counted } from '../../../core/text/counted.ts';
import { type Estimate, leastConfidence } from '../../../core/vocabulary/estimate.ts';
import { valueIn, valueOver } from '../summary/named-value.ts';
import type { Results, TrialResults } from '../summary/results.ts';
import type { Threshold } from './threshold.ts';

export type Outcome = Omit<Threshold, 'conditions'> & {
  condition: string;
  measured: Estimate;
  kept: boolean;
  /** Reason why the threshold was missed if the value does not show the reason; null otherwise. */
  note: string | null;
};

/** Judges one condition by one threshold. `trials`: valid trials of the condition. */
function judged(
  value: Estimate,
  threshold: Threshold,
  trials: readonly TrialResults[],
  subject: string | null,
): { kept: boolean; note: string | null } {
  const { bound, limit, judge } = threshold;
  if (value.value === null) return { kept: false, note: 'no trial that counts has a value' };
  const keeps = (number: number) => (bound === 'atMost' ? number <= limit : number >= limit);
  if (judge === 'every') {
    const missing = trials.filter(trial => {
      const own = valueIn(trial, threshold, subject);
      return own === null || !keeps(own);
    });
    const names = missing.map(({ name }) => name).join(', ');
    return missing.length === 0
      ? { kept: true, note: null }
      : { kept: false, note: `not in ${missing.length} of ${counted(trials.length, 'trial')}: ${names}` };
  }
  if (judge === 'median') return { kept: keeps(value.value), note: null };
  if (value.confidence === null || value.confidence < leastConfidence)
    return { kept: false, note: 'too few trials for a 95 % interval, which takes six' };
  return { kept: keeps(bound === 'atMost' ? value.high! : value.low!), note: null };
}

/** Returns the outcome for each threshold and condition, in the order of the definition. */
export function judgeThresholds(
  thresholds: readonly Threshold[],
  { conditions, trials }: Pick<Results, 'conditions' | 'trials'>,
): Outcome[] {
  return thresholds.flatMap(threshold => {
    const { conditions: ids, ...rest } = threshold;
    return conditions
      .filter(({ id }) => ids.includes(id))
      .map((condition): Outcome => {
        const { id, subject } = condition;
        const measured = valueOver(condition, threshold);
        const own = trials.filter(trial => trial.condition === id && trial.metrics !== null);
        return { ...rest, condition: id, measured, ...judged(measured, threshold, own, subject) };
      });
  });
}
