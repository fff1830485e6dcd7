/** Verdict on a condition in one sentence: what the viewer saw, and how this differs from the baseline. */

import { listed } from '../../../core/text/listed.ts';
import type { Comparison, ConditionSummary, Summary } from '../../../harness/analysis/summary/summary.ts';
import type { Condition } from '../../../harness/definition/conditions.ts';
import { shownValue } from '../../disturbed.ts';
import { formatChangeWithInterval, formatValue } from '../../format.ts';
import { conditionLabel, type ReportData } from '../../report.ts';
import { stillWords } from '../../still-words.ts';
import { rateOf } from '../../subject-rate.ts';
import { voiceWords } from '../../voice-words.ts';
import {
  alikeWords,
  changeName,
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
import { motionOf, motionWords, stallsOf, stallWords } from './seen.ts';

/** Formats a difference that cannot be tested: "bitrate \u22125.78 Mbit/s [\u22126.06, \u22125.06], all 6 pairs alike". */
function untested(one: Judged): string {
  const change = `${nounOf(one)} ${formatChangeWithInterval(one.test.shift, one.unit)}`;
  const alike = alikeWords(one.test);
  return alike === '' ? change : `${change}, ${alike}`;
}

/** Describes differences that cannot be tested. Null if there are none. */
const untestedWords = (some: readonly Judged[], title: string): string | null =>
  some.length === 0 ? null : `${notTestable} against ${title}: ${some.map(untested).join('; ')}`;

/**
 * Describes the difference between a condition and its baseline. Null if the condition is a baseline. With `isShort`
 * also null if there is no difference or none can be claimed, because other sentences of the section state this. A
 * difference that is alike in all pairs is always given, even if they are too few for a test.
 */
function againstBaseline(id: string, report: ReportData, isShort: boolean): string | null {
  const { summary } = report;
  const comparison = summary.comparisons.find(({ condition }) => condition === id);
  if (comparison === undefined) return null;
  const { title } = summary.conditions.find(other => other.id === comparison.baseline)!;
  const effects = judged(comparison, report);
  const all = effects.filter(({ isSecondary }) => !isSecondary);
  const pairs = pairsOf(effects);
  if (pairs === 0) return `no pair of trials to compare with ${title}`;
  if (pairs < fewest) return isShort ? null : `${tooFewWords([pairs])} from ${title}`;
  const alike = untestedWords(untestedAlike(all), title);
  const secondary = changesIn(effects.filter(({ isSecondary }) => isSecondary));
  const changes = changesIn(all);
  const own =
    changes !== null
      ? [`${changes} than ${title}`, alike]
      : isShort
        ? [alike]
        : unchangedWords(comparison, all, title, summary);
  const parts = [...own, secondary === null ? null : `secondary: ${secondary} than ${title}`].filter(
    part => part !== null,
  );
  return parts.length === 0 ? null : parts.join('; ');
}

/** Lists the changes that the pairs show. Null if they show none. */
function changesIn(effects: readonly Judged[]): string | null {
  const changes = effects.filter(({ test }) => isChange(test)).map(changeName);
  return changes.length === 0 ? null : listed(changes);
}

/** Describes a condition of which no change is shown: what was tested, and what could not be. */
function unchangedWords(
  { condition, baseline }: Comparison,
  all: readonly Judged[],
  title: string,
  summary: Summary,
): (string | null)[] {
  // if no trial of the two conditions had a stall, there is nothing to test
  const hasNoStall = [condition, baseline].every(of => {
    const { trials, count } = stallsOf(of, summary);
    return trials > 0 && count === 0;
  });
  const tested = all.filter(({ id: metric, test }) => !(isUntestable(test) || (hasNoStall && metric === 'stall-time')));
  const from = hasNoStall ? 'it' : title;
  const parts = [
    ...(hasNoStall ? [`no stall in ${title} either`] : []),
    ...(tested.length === 0 ? [] : [`no significant difference from ${from} in ${listed(tested.map(nounOf), 'or')}`]),
  ];
  const untestable = all.filter(({ test }) => isUntestable(test));
  return [parts.length === 0 ? null : parts.join(', and '), untestedWords(untestable, title)];
}

/** Describes goodput and delay of a service whose frames are unknown. */
function traffic(own: ConditionSummary): string {
  const rate = rateOf(own);
  const bps = formatValue(rate === undefined ? null : shownValue(own, rate), 'bit/s');
  const goodput = rate === 'wire-rate' ? `${bps} at the bottleneck` : `goodput ${bps}`;
  return `${goodput}, mean round-trip time ${formatValue(shownValue(own, 'rtt-mean'), 'ms')}`;
}

/** Describes what the viewer saw and heard in a condition, and the difference from the baseline. */
function seenWords(own: ConditionSummary, condition: Condition, report: ReportData, isShort: boolean): string {
  const none = `no valid trial${own.voided > 0 ? `, ${own.voided} void` : ''}`;
  if (own.trials === 0 && own.disturbed === null) return none;
  const seen = [
    motionWords(motionOf(own, condition, report)),
    stallWords(stallsOf(own.id, report.summary)),
    stillWords(own.id, report.summary),
    voiceWords(own.id, report.summary),
  ].filter(words => words !== null);
  const words = seen.length === 0 ? traffic(own) : seen.join(', ');
  if (own.disturbed !== null) return `${none}; its least disturbed try, not for publication: ${words}`;
  const difference = againstBaseline(own.id, report, isShort);
  return `${words}${difference === null ? '' : `; ${difference}`}`;
}

/**
 * Sentence on a condition, or one that several conditions share. `condition`: id of the one condition that it is about.
 * `isDisturbed`: true if the sentence is about a disturbed try that does not count.
 */
export type Sentence = { title: string; said: string; condition?: string; isDisturbed?: boolean };

/**
 * Returns the sentence on a condition in two parts. The title is separate, because some outputs set it in bold. With
 * `isShort` the sentence leaves out that there is no difference from the baseline, or that none can be claimed.
 */
export function sentence(own: ConditionSummary, report: ReportData, { isShort = false } = {}): Sentence {
  const condition = report.plan.conditions.find(({ id }) => id === own.id)!;
  const label = conditionLabel(condition, report);
  const said = `${label === '' ? '' : ` (${label})`}: ${seenWords(own, condition, report, isShort)}.`;
  return { title: condition.title, said, condition: own.id, isDisturbed: own.disturbed !== null };
}
