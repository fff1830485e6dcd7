/** Sum of a quantity over the trials of a condition, such as stalls or time of a still picture, and its words. */
import type { Summary } from '../harness/analysis/summary/summary.ts';
import { shownMetrics } from './disturbed.ts';

/** `trials`: number of trials that have a value. `affected`: number of trials in which it is above 0. */
export type OverTrials = { trials: number; affected: number; sum: number };

/** `id`: condition. A disturbed try that is shown stands for the trials. */
export function overTrials(id: string, quantity: string, summary: Pick<Summary, 'trials' | 'conditions'>): OverTrials {
  const own = summary.conditions.find(condition => condition.id === id)!;
  const values = shownMetrics(own, summary).flatMap(metrics => metrics[quantity] ?? []);
  return {
    trials: values.length,
    affected: values.filter(value => value > 0).length,
    sum: values.reduce((total, value) => total + value, 0),
  };
}

/** Says in how many trials: " in 2 of 5 trials". Empty if there is one trial. */
export const affectedWords = ({ trials, affected }: Pick<OverTrials, 'trials' | 'affected'>): string =>
  trials === 1 ? '' : ` in ${affected} of ${trials} trials`;
