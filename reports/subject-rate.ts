/**
 * The rates that stand for what the subject of a study got: the media goodput of a call, the goodput of anything else,
 * the rate at the bottleneck of what tells neither.
 */
import { headline } from '../core/vocabulary/headline.ts';
import type { Summary } from '../harness/analysis/summary/summary.ts';
import { shownValue } from './disturbed.ts';

export const mediaRate = 'media-goodput';
const rates = [mediaRate, 'transfer-goodput', 'wire-rate'] as const;
type SubjectRate = (typeof rates)[number];

type Condition = Parameters<typeof shownValue>[0];

export const isRate = (id: string): id is SubjectRate => (rates as readonly string[]).includes(id);

/** Of a condition; undefined where nothing tells. */
export const rateOf = (own: Condition): SubjectRate | undefined =>
  rates.find(id => own.metrics[id] !== undefined && shownValue(own, id) !== null);

/** Those of all conditions, usually one. */
export function ratesOf({ conditions }: Pick<Summary, 'conditions'>): readonly SubjectRate[] {
  const found = new Set(conditions.flatMap(own => rateOf(own) ?? []));
  return found.size === 0 ? [mediaRate] : rates.filter(id => found.has(id));
}

/** A list of metrics in which the rates of the study's subjects are in the place of the media goodput. */
export const withSubjectRates = (ids: readonly string[], summary: Pick<Summary, 'conditions'>): string[] =>
  ids.flatMap((id): readonly string[] => (id === mediaRate ? ratesOf(summary) : [id]));

/** The headline without the rates that none of the study's subjects has. */
export function headlineOf(summary: Pick<Summary, 'conditions'>): string[] {
  const known: readonly string[] = ratesOf(summary);
  return headline.filter(id => !isRate(id) || known.includes(id));
}
