/**
 * Metric for the rate of a study's subject: its goodput, or the rate at the bottleneck if the service does not report
 * what it received.
 */
import { headline } from '../core/vocabulary/headline.ts';
import { kindFacts } from '../core/vocabulary/service-kinds.ts';
import { subjectOf } from '../core/vocabulary/subject.ts';
import type { ConditionSummary, Summary } from '../harness/analysis/summary/summary.ts';
import type { Condition } from '../harness/definition/conditions.ts';
import { shownValue } from './disturbed.ts';
import type { Named } from './named.ts';

const goodput = 'goodput';
const rates = [goodput, 'wire-rate'] as const;
type SubjectRate = (typeof rates)[number];

export const isRate = (id: string): id is SubjectRate => (rates as readonly string[]).includes(id);

/** True if the subject of the condition is a call. */
export const isCall = (condition: Pick<Condition, 'applications' | 'subject'>): boolean =>
  kindFacts(subjectOf(condition).kind).isCall === true;

/** Returns the rate metric of a condition. Undefined if the condition has no value of any rate metric. */
export const rateOf = (own: ConditionSummary): SubjectRate | undefined =>
  rates.find(id => own.metrics[id] !== undefined && shownValue(own, id) !== null);

/** Returns the rate metrics of all conditions, usually one. If no condition has a value, returns the goodput. */
export function ratesOf({ conditions }: Pick<Summary, 'conditions'>): readonly SubjectRate[] {
  const found = new Set(conditions.flatMap(own => rateOf(own) ?? []));
  return found.size === 0 ? [goodput] : rates.filter(id => found.has(id));
}

/** Returns the list of values with the goodput of the subject replaced by the rate metrics of the study's subjects. */
export const withSubjectRates = <T extends Named>(
  named: readonly T[],
  summary: Pick<Summary, 'conditions'>,
): (T | SubjectRate)[] =>
  named.flatMap((one): (T | SubjectRate)[] => (one === goodput ? [...ratesOf(summary)] : [one]));

/** Returns the headline metrics without rate metrics that no subject of the study has. */
export function headlineOf(summary: Pick<Summary, 'conditions'>): string[] {
  const known: readonly string[] = ratesOf(summary);
  return headline.filter(id => !isRate(id) || known.includes(id));
}
