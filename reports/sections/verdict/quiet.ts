/**
 * One sentence for all conditions with smooth motion in most trials, without a stall and without a difference from
 * their baseline, where a study has so many that nobody would read a sentence for each. The table below has their
 * numbers.
 */
import type { ConditionSummary } from '../../../harness/summary/summary.ts';
import { counted, listed } from '../../format.ts';
import type { ReportData } from '../../report.ts';
import { blindness, fewest, isChange, judged, nounOf, pairsOf } from './effects.ts';
import { motionOf, stallsOf } from './seen.ts';

/** With more conditions the quiet ones share a sentence. */
const mostSentences = 12;

const comparisonOf = (id: string, { summary }: Pick<ReportData, 'summary'>) =>
  summary.comparisons.find(({ condition }) => condition === id);

export function isQuiet(own: ConditionSummary, report: Pick<ReportData, 'summary' | 'plan'>): boolean {
  const { id } = own;
  const { trials, count } = stallsOf(id, report.summary);
  if (trials === 0 || count > 0) return false;
  const condition = report.plan.conditions.find(one => one.id === id)!;
  const { smooth, judged: all } = motionOf(own, condition, report.summary);
  if (2 * smooth <= all && all > 0) return false;
  const comparison = comparisonOf(id, report);
  if (comparison === undefined) return true;
  const tests = judged(comparison, report.summary);
  return pairsOf(tests) >= fewest && !tests.some(({ test }) => isChange(test));
}

/** Those that share a sentence; none where each has its own. */
export function quietOf(report: Pick<ReportData, 'summary' | 'plan'>): ConditionSummary[] {
  const { conditions } = report.summary;
  const quiet = conditions.length > mostSentences ? conditions.filter(own => isQuiet(own, report)) : [];
  return quiet.length > 1 ? quiet : [];
}

/** In two parts: the first is set in bold where that can be. */
export function quietSentence(
  quiet: readonly ConditionSummary[],
  report: Pick<ReportData, 'summary'>,
): { title: string; said: string } {
  const all = quiet.flatMap(({ id }) => {
    const comparison = comparisonOf(id, report);
    return comparison === undefined ? [] : [judged(comparison, report.summary)];
  });
  const nouns = [
    ...new Set(
      all
        .flat()
        .filter(({ id }) => id !== 'stall-time')
        .map(nounOf),
    ),
  ];
  const blind = all.filter(tests => blindness(tests) !== null);
  const pairs = [...new Set(blind.map(pairsOf))].sort((a, b) => a - b);
  const few =
    pairs.length === 0 ? '' : ` (${listed(pairs.map(String), 'or')} pairs cannot show a change of one of them alone)`;
  const difference =
    nouns.length === 0 ? '' : `, and no significant difference from the baseline in ${listed(nouns, 'or')}${few}`;
  return {
    title: `${counted(quiet.length, 'condition')} of ${report.summary.conditions.length}`,
    said: `: no stall in any trial, smooth motion in most trials of each${difference}: ${quiet.map(({ title }) => title).join('; ')}.`,
  };
}
