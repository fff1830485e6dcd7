/** Describes in words for how long the picture stood still although frames came. */
import type { Summary } from '../harness/analysis/summary/summary.ts';
import { shownMetrics } from './disturbed.ts';
import { formatValue } from './format.ts';

/**
 * Describes the still picture in all trials of a condition: "the picture stood still though frames came, 4.1 s in all in
 * 2 of 6 trials". Null if it never did, or if nothing is known of it.
 */
export function stillWords(id: string, summary: Pick<Summary, 'trials' | 'conditions'>): string | null {
  const own = summary.conditions.find(condition => condition.id === id)!;
  const all = shownMetrics(own, summary).flatMap(({ 'still-picture-time': seconds }) =>
    typeof seconds === 'number' ? [seconds] : [],
  );
  const still = all.filter(seconds => seconds > 0);
  if (still.length === 0) return null;
  const sum = still.reduce((total, seconds) => total + seconds, 0);
  const where = all.length === 1 ? '' : ` in ${still.length} of ${all.length} trials`;
  return `the picture stood still though frames came, ${formatValue(sum, 's')} in all${where}`;
}
