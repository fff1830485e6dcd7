/** Verdicts on expectations by the intervals of medians, and the verdict on a case that follows from them. */
import type { Estimate } from '../../../../core/vocabulary/estimate.ts';

export type Verdict = 'passed' | 'failed' | 'undecided';

type Bounds = { atLeast: number | null; atMost: number | null };

/** True if the value keeps both bounds. */
const keeps = (value: number, { atLeast, atMost }: Bounds) =>
  value >= (atLeast ?? -Infinity) && value <= (atMost ?? Infinity);

/**
 * Returns the verdict on an estimate. It is decided only if the interval has at least the coverage `confidence` and lies
 * on one side of the bounds. A single trial has no interval: its value stands for one of coverage 0.
 */
export function verdictOf(
  { value, low, high, confidence: coverage }: Estimate,
  bounds: Bounds,
  confidence: number,
): Verdict {
  if (value === null || (coverage ?? 0) < confidence) return 'undecided';
  const [least, most] = [low ?? value, high ?? value];
  if (keeps(least, bounds) && keeps(most, bounds)) return 'passed';
  return most < (bounds.atLeast ?? -Infinity) || least > (bounds.atMost ?? Infinity) ? 'failed' : 'undecided';
}

/** Returns the verdict on a case: failed if any expectation failed, passed if all passed. */
export function caseVerdict(verdicts: readonly Verdict[]): Verdict {
  if (verdicts.includes('failed')) return 'failed';
  return verdicts.length > 0 && verdicts.every(verdict => verdict === 'passed') ? 'passed' : 'undecided';
}

/** Returns how many of the values keep the bounds. */
export const keptOf = (values: readonly number[], bounds: Bounds): number =>
  values.filter(value => keeps(value, bounds)).length;
