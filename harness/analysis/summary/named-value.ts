/** Values in a summary by their names. */
import { type Estimate, noEstimate } from '../../../core/vocabulary/estimate.ts';
import { namedValue, type ValueName } from '../../../core/vocabulary/subject.ts';
import type { ConditionResults, TrialResults } from './results.ts';

/** Returns the value of a trial; null if it has none, or if the trial is void. `subject`: name of the study's subject. */
export function valueIn(
  { metrics, others, together, hops = {} }: TrialResults,
  name: ValueName,
  subject: string | null,
): number | null {
  if (metrics === null || others === null || together === null) return null;
  return namedValue({ metrics, others, together, hops }, name, subject) ?? null;
}

/** Returns the value of a condition over its trials; one without a number if there is none. */
export const valueOver = (condition: ConditionResults, name: ValueName): Estimate =>
  namedValue(condition, name, condition.subject) ?? noEstimate;
