/** Describes in words how whole the voice of a condition was. */
import { median } from '../core/stats/quantile.ts';
import { timesWords } from '../core/text/counted.ts';
import type { Summary } from '../harness/analysis/summary/summary.ts';
import type { VoiceScores } from '../harness/record/voice-scores.ts';
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

/**
 * Describes the speech quality of a condition: "score 4.1, codec alone 4.2 (medians of 3 trials)". Null if none of its
 * trials was scored.
 */
export function scoreWords(id: string, scores: VoiceScores | null): string | null {
  const own = (scores?.voice ?? []).filter(({ condition }) => condition === id);
  if (own.length === 0) return null;
  const alone = own.flatMap(({ codecAlone }) => codecAlone ?? []);
  const medianOf = (values: readonly number[]) => median(values)!.toFixed(1);
  return (
    `score ${medianOf(own.map(({ score }) => score))}, codec alone ` +
    `${alone.length === 0 ? 'not known' : medianOf(alone)}${own.length === 1 ? '' : ` (medians of ${own.length} trials)`}`
  );
}
