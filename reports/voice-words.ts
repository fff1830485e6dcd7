/** Describes in words how whole the voice of a condition was. */
import { timesWords } from '../core/text/counted.ts';
import type { Summary } from '../harness/analysis/summary/summary.ts';
import { formatValue } from './format.ts';
import { affectedWords, overTrials } from './over-trials.ts';

/**
 * Describes the interruptions of the voice in all trials of a condition: "the voice broke off 4 times in 2 of 5 trials,
 * 1.9 s in all". Null if the study has no voice, or if nothing is known of it.
 */
export function voiceWords(id: string, summary: Pick<Summary, 'trials' | 'conditions'>): string | null {
  const times = overTrials(id, 'voice-interruptions', summary);
  const { trials, sum: count } = times;
  if (trials === 0) return null;
  if (count === 0) return `the voice never broke off${trials === 1 ? '' : ` in ${trials} trials`}`;
  const seconds = overTrials(id, 'voice-interruption-time', summary).sum;
  return `the voice broke off ${timesWords(count)}${affectedWords(times)}, ${formatValue(seconds, 's')} in all`;
}
