/** Values in a summary by their names. */
import { namedValue, type ValueName } from '../../../core/vocabulary/subject.ts';
import type { ConditionSummary, SummaryValue, TrialSummary } from './summary.ts';
import { noValue } from './values.ts';

/** Returns the value of a trial; null if it has none, or if the trial is void. `subject`: name of the study's subject. */
export function valueIn({ metrics, others, together }: TrialSummary, name: ValueName, subject: string): number | null {
  if (metrics === null || others === null || together === null) return null;
  return namedValue({ metrics, others, together }, name, subject) ?? null;
}

/** Returns the value of a condition over its trials; one without a number if there is none. */
export const valueOver = (condition: ConditionSummary, name: ValueName): SummaryValue =>
  namedValue(condition, name, condition.subject) ?? noValue;
