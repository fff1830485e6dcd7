/**
 * Sentences that several conditions share, for studies with too many conditions for a sentence each. They list the
 * conditions with smooth motion and without a stall, and count the conditions that do not differ from their baseline.
 * The tables below them contain the numbers.
 */
import { counted } from '../../../core/text/counted.ts';
import { listed } from '../../../core/text/listed.ts';
import type { ConditionSummary } from '../../../harness/analysis/summary/summary.ts';
import type { ReportData } from '../../report.ts';
import { stillWords } from '../../still-words.ts';
import {
  fewest,
  isChange,
  isUntestable,
  type Judged,
  judged,
  notTestable,
  nounOf,
  pairsOf,
  tooFewWords,
  untestedAlike,
} from './effects.ts';
import { motionOf, stallsOf } from './seen.ts';
import type { Sentence } from './sentence.ts';

/** Largest number of conditions of which each has its own sentence. In larger studies conditions share sentences. */
const mostSentences = 12;

export const isLarge = ({ summary }: Pick<ReportData, 'summary'>) => summary.conditions.length > mostSentences;

/** True if the condition has valid trials without a stall or a still picture, and motion was smooth in most of them or is unknown. */
function isSmooth(own: ConditionSummary, report: Pick<ReportData, 'summary' | 'plan'>): boolean {
  const { plan, summary } = report;
  if (own.trials === 0) return false;
  const { trials, count } = stallsOf(own.id, summary);
  if (trials === 0 || count > 0 || stillWords(own.id, summary) !== null) return false;
  const condition = plan.conditions.find(({ id }) => id === own.id)!;
  const { smooth, judged: all } = motionOf(own, condition, report);
  return all === 0 || 2 * smooth > all;
}

/** True if there are enough pairs of trials for a test, and no test shows a change. */
const showsNone = (tests: readonly Judged[]) => pairsOf(tests) >= fewest && !tests.some(({ test }) => isChange(test));

/** Returns the primary effects of each comparison that are tested. Leaves out comparisons without any. */
const testedOf = (all: readonly (readonly Judged[])[]) =>
  all
    .map(tests => tests.filter(({ test, isSecondary }) => !isSecondary && !isUntestable(test)))
    .filter(tests => tests.length > 0);

/** Returns the primary effects of each comparison that the pairs are too few to test. Leaves out comparisons without any. */
const untestableOf = (all: readonly (readonly Judged[])[]) =>
  all
    .map(tests => tests.filter(({ test, isSecondary }) => !isSecondary && isUntestable(test)))
    .filter(tests => tests.length > 0);

/** True if there are pairs of trials, but not enough for any test. */
const hasTooFew = (tests: readonly Judged[]) => pairsOf(tests) > 0 && pairsOf(tests) < fewest;

function isUnchanged(id: string, report: Pick<ReportData, 'summary' | 'plan'>): boolean {
  const comparison = report.summary.comparisons.find(({ condition }) => condition === id);
  if (comparison === undefined) return true;
  const tests = judged(comparison, report);
  return (showsNone(tests) && untestedAlike(tests).length === 0) || hasTooFew(tests);
}

/** Returns the conditions that share a sentence. Empty if these would be fewer than two. */
export function quietOf(report: Pick<ReportData, 'summary' | 'plan'>): ConditionSummary[] {
  const quiet = report.summary.conditions.filter(own => isSmooth(own, report) && isUnchanged(own.id, report));
  return quiet.length > 1 ? quiet : [];
}

export function sharedSentences(
  quiet: readonly ConditionSummary[],
  report: Pick<ReportData, 'summary' | 'plan'>,
): Sentence[] {
  const { length } = report.summary.conditions;
  const all = report.summary.comparisons.map(one => judged(one, report));
  const [none, unsure] = [all.filter(showsNone), all.filter(hasTooFew)];
  const [same, open] = [testedOf(none), untestableOf(none)];
  const titled = (some: readonly unknown[]) => `${some.length} of ${counted(all.length, 'comparison')} with a baseline`;
  const nounsOf = (some: readonly (readonly Judged[])[]) => listed([...new Set(some.flat().map(nounOf))], 'or');
  const numbers = (some: readonly (readonly Judged[])[]) => [...new Set(some.map(pairsOf))].sort((a, b) => a - b);
  return [
    ...(quiet.length === 0
      ? []
      : [
          {
            title: `${counted(quiet.length, 'condition')} of ${length}`,
            said: `: smooth motion in most trials, and no stall in any: ${quiet.map(({ title }) => title).join('; ')}.`,
          },
        ]),
    ...(same.length === 0
      ? []
      : [
          {
            title: titled(same),
            said: `: no significant difference in ${nounsOf(same)}.`,
          },
        ]),
    ...(open.length === 0
      ? []
      : [
          {
            title: titled(open),
            said: `: ${notTestable} in ${nounsOf(open)}.`,
          },
        ]),
    ...(unsure.length === 0 ? [] : [{ title: titled(unsure), said: `: ${tooFewWords(numbers(unsure))}.` }]),
  ];
}
