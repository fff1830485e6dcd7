/** Names of values in a report, and their titles. */
import type { Estimate } from '../core/vocabulary/estimate.ts';
import { allOthers, isFlood, namedValue, othersOf, type ValueName } from '../core/vocabulary/subject.ts';
import type { Quantity } from '../harness/analysis/metrics/metric.ts';
import type { ConditionSummary, TrialSummary } from '../harness/analysis/summary/summary.ts';
import type { Condition } from '../harness/definition/conditions.ts';
import { quantityOf } from './format.ts';

/** Name of a value. A text stands for the metric's value of the subject, of the link, or of all applications. */
export type Named = string | ValueName;

export const nameOf = (named: Named): ValueName => (typeof named === 'string' ? { metric: named } : named);

/** Returns the name of a metric's value of the applications other than the subject, together. */
export const ofOthers = (metric: string): ValueName => ({ metric, of: allOthers });

/** Returns the value over the trials of a condition; undefined if its application has none. */
export const valueOver = (condition: ConditionSummary, named: Named): Estimate | undefined =>
  namedValue(condition, nameOf(named), condition.subject);

/** Returns the value in a trial of this condition; null if there is none, or if the trial is void. */
export function valueIn(
  { metrics, others, together, hops = {} }: Pick<TrialSummary, 'metrics' | 'others' | 'together' | 'hops'>,
  named: Named,
  { subject }: { subject: string | null },
): number | null {
  if (metrics === null || others === null || together === null) return null;
  return namedValue({ metrics, others, together, hops }, nameOf(named), subject) ?? null;
}

type Parties = Pick<Condition, 'applications' | 'subject'>;

/** Returns the word for the applications other than the subject: "flood" if they only fill the link, else "others". */
export function othersWord(...conditions: readonly Parties[]): string {
  const others = conditions.flatMap(condition => othersOf(condition));
  return others.length > 0 && others.every(isFlood) ? 'flood' : 'others';
}

/** Returns the title of a value: "Goodput", "Goodput (bulk)" of an application, "Goodput (flood)" of the others. */
export function titleOf(quantities: readonly Quantity[], named: Named, conditions: readonly Parties[]): string {
  const { metric, of } = nameOf(named);
  const { title } = quantityOf(quantities, metric);
  if (of === undefined) return title;
  return `${title} (${of === allOthers ? othersWord(...conditions) : of})`;
}
