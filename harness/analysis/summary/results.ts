/** Results of a study of any kind: the named values that thresholds, claims and comparisons of runs are about. */
import type { Quantity } from '../metrics/metric.ts';
import type { ConditionSummary, TrialSummary } from './summary.ts';

/**
 * Results of a condition: of a cell of a pairwise study, or of a state of a game. `subject` is null if the condition is
 * about all of its applications alike; then `metrics` has the values of the link only, and `others` those of every
 * application.
 */
export type ConditionResults = Pick<
  ConditionSummary,
  'id' | 'title' | 'trials' | 'metrics' | 'others' | 'together' | 'hops'
> & {
  subject: string | null;
};

/** Values of a trial; null for a void one. */
export type TrialResults = Pick<
  TrialSummary,
  'name' | 'condition' | 'machine' | 'metrics' | 'others' | 'together' | 'hops'
>;

export type Results = {
  quantities: readonly Quantity[];
  conditions: readonly ConditionResults[];
  trials: readonly TrialResults[];
};
