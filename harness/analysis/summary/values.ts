/** Median and interval of the values of several trials. */

import { medianInterval } from '../../../core/stats/median-interval.ts';
import { median } from '../../../core/stats/quantile.ts';
import type { Estimate } from '../../../core/vocabulary/estimate.ts';

/** Returns the median and the interval of the values. Leaves out nulls and values that are not finite. */
export function summariseValues(values: readonly (number | null | undefined)[]): Estimate {
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
