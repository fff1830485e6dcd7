/** Describes in words how whole the voice of a condition was. */
import { timesWords } from '../core/text/counted.ts';
import type { Summary } from '../harness/analysis/summary/summary.ts';
import { shownMetrics } from './disturbed.ts';
import { formatValue } from './format.ts';

/**
 * Describes the interruptions of the voice in all trials of a condition: "the voice broke off 4 times in 2 of 5 trials,
 * 1.9 s in all". Null if the study has no voice, or if nothing is known of it.
 */
export function voiceWords(id: string, summary: Pick<Summary, 'trials' | 'conditions'>): string | null {
  const own = summary.conditions.find(condition => condition.id === id)!;
  const trials = shownMetrics(own, summary).flatMap(metrics => {
    const { 'voice-interruptions': count, 'voice-interruption-time': seconds } = metrics;
    return typeof count === 'number' && typeof seconds === 'number' ? [{ count, seconds }] : [];
  });
  if (trials.length === 0) return null;
  const count = trials.reduce((sum, trial) => sum + trial.count, 0);
  if (count === 0) return `the voice never broke off${trials.length === 1 ? '' : ` in ${trials.length} trials`}`;
  const broken = trials.filter(trial => trial.count > 0).length;
  const seconds = trials.reduce((sum, trial) => sum + trial.seconds, 0);
  const where = trials.length === 1 ? '' : ` in ${broken} of ${trials.length} trials`;
  return `the voice broke off ${timesWords(count)}${where}, ${formatValue(seconds, 's')} in all`;
}
