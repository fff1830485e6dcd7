/** Median and interval of what trials gave. */
import { medianInterval } from '../../../core/stats/median-interval.ts';
import { median } from '../../../core/stats/quantile.ts';
import type { SummaryValue } from './summary.ts';

/** A value for which there is none. */
export const noValue: SummaryValue = { value: null, low: null, high: null, n: 0, confidence: null };

/** Nulls are left out. */
export function summariseValues(values: readonly (number | null | undefined)[]): SummaryValue {
  const given = values.filter(
    (value): value is number => value !== null && value !== undefined && Number.isFinite(value),
  );
  const interval = medianInterval(given);
  return {
    value: median(given) ?? null,
    low: interval?.low ?? null,
    high: interval?.high ?? null,
    n: given.length,
    confidence: interval?.confidence ?? null,
  };
}
