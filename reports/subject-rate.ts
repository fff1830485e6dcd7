/**
 * Rate metric of a study's subject: the media goodput of a call, the goodput of other services, or the rate at the
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

/** Rate metric of a condition. Undefined if no rate has a value. */
export const rateOf = (own: Condition): SubjectRate | undefined =>
  rates.find(id => own.metrics[id] !== undefined && shownValue(own, id) !== null);

/** Rate metrics of all conditions, usually one. The media goodput if no condition has a rate. */
export function ratesOf({ conditions }: Pick<Summary, 'conditions'>): readonly SubjectRate[] {
  const found = new Set(conditions.flatMap(own => rateOf(own) ?? []));
  return found.size === 0 ? [mediaRate] : rates.filter(id => found.has(id));
}

/** Replaces the media goodput in a list of metrics by the rates of the study's subjects. */
export const withSubjectRates = (ids: readonly string[], summary: Pick<Summary, 'conditions'>): string[] =>
  ids.flatMap((id): readonly string[] => (id === mediaRate ? ratesOf(summary) : [id]));

/** Headline metrics without the rates that no subject of the study has. */
export function headlineOf(summary: Pick<Summary, 'conditions'>): string[] {
  const known: readonly string[] = ratesOf(summary);
  return headline.filter(id => !isRate(id) || known.includes(id));
}
