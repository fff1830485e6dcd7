/** Describes in words for how long the picture stood still although frames came. */
import type { Summary } from '../harness/analysis/summary/summary.ts';
import { formatValue } from './format.ts';
import { affectedWords, overTrials } from './over-trials.ts';

/**
 * Describes the still picture in all trials of a condition: "the picture stood still though frames came, 4.1 s in all in
 * 2 of 6 trials". Null if it never did, or if nothing is known of it.
 */
export function stillWords(id: string, summary: Pick<Summary, 'trials' | 'conditions'>): string | null {
  const still = overTrials(id, 'still-picture-time', summary);
  if (still.affected === 0) return null;
  return `the picture stood still though frames came, ${formatValue(still.sum, 's')} in all${affectedWords(still)}`;
}
