/**
 * Metric for the rate of a study's subject: media goodput for a call, goodput for other services, or the rate at the
 * bottleneck if the service reports neither.
 */
import { headline } from '../core/vocabulary/headline.ts';
import type { Summary } from '../harness/analysis/summary/summary.ts';
import { shownValue } from './disturbed.ts';

export const mediaRate = 'media-goodput';
const rates = [mediaRate, 'transfer-goodput', 'wire-rate'] as const;
type SubjectRate = (typeof rates)[number];

type Condition = Parameters<typeof shownValue>[0];

export const isRate = (id: string): id is SubjectRate => (rates as readonly string[]).includes(id);

/** Returns the rate metric of a condition. Undefined if the condition has no value of any rate metric. */
export const rateOf = (own: Condition): SubjectRate | undefined =>
  rates.find(id => own.metrics[id] !== undefined && shownValue(own, id) !== null);

/** Returns the rate metrics of all conditions, usually one. If no condition has a value, returns the media goodput. */
export function ratesOf({ conditions }: Pick<Summary, 'conditions'>): readonly SubjectRate[] {
  const found = new Set(conditions.flatMap(own => rateOf(own) ?? []));
  return found.size === 0 ? [mediaRate] : rates.filter(id => found.has(id));
}

/** Returns the list of metrics with the media goodput replaced by the rate metrics of the study's subjects. */
export const withSubjectRates = (ids: readonly string[], summary: Pick<Summary, 'conditions'>): string[] =>
  ids.flatMap((id): readonly string[] => (id === mediaRate ? ratesOf(summary) : [id]));

/** Returns the headline metrics without rate metrics that no subject of the study has. */
export function headlineOf(summary: Pick<Summary, 'conditions'>): string[] {
  const known: readonly string[] = ratesOf(summary);
  return headline.filter(id => !isRate(id) || known.includes(id));
}
