/**
 * Effects of a condition on the viewer, relative to its baseline. A change is stated if the pairs of trials show it:
 * there are at least six pairs, p is below 0.05 after the correction for its family of tests, and the
 * interval does not contain 0. Otherwise the difference is given as a number without a claim, together with the
 * smallest change that the pairs would have shown, because an effect that is not shown may still exist. If the pairs
 * are too few to show any change, no result of a test is given.
 */
import { significance } from '../../../core/stats/false-discovery.ts';
import { fewestPairs } from '../../../core/stats/signed-rank.ts';
import { inSentence } from '../../../core/text/in-sentence.ts';
import { listed } from '../../../core/text/listed.ts';
import { primaryOf } from '../../../core/vocabulary/headline.ts';
import type { Comparison, PairedTest, Summary } from '../../../harness/analysis/summary/summary.ts';
import type { Plan } from '../../../harness/definition/plan.ts';
import { quantityOf } from '../../format.ts';
import type { ReportData } from '../../report.ts';
import { isCall } from '../../subject-rate.ts';

/** Least number of pairs of trials with which p can be below the significance level. */
export const fewest = fewestPairs(significance);

type Words = { id: string; name: string; more: string; less: string; better: 'higher' | 'lower' };

/** `isSecondary`: true if the study names other metrics as primary. */
export type Effect = Words & { isSecondary: boolean };

/**
 * Returns words for the change of any metric: "Round trip, mean" becomes "higher mean of round trip". The metric must
 * have a better direction.
 */
function wordsFor({ id, title, better }: Summary['quantities'][number]): Words {
  const [name, ...parts] = title.split(', ');
  const noun = [...parts, inSentence(name!)].join(' of ');
  return { id, name: title, more: `higher ${noun}`, less: `lower ${noun}`, better: better! };
}

/** Returns the effects that a report tells: first those of the primary metrics, then the other headline metrics. */
export function effectsOf({ plan, summary }: Pick<ReportData, 'plan' | 'summary'>): Effect[] {
  const noticed = noticedBy(plan);
  const primary = primaryOf(plan);
  return [
    ...primary.map(id => ({
      ...(noticed.find(one => one.id === id) ?? wordsFor(quantityOf(summary.quantities, id))),
      isSecondary: false,
    })),
    ...noticed.filter(({ id }) => !primary.includes(id)).map(one => ({ ...one, isSecondary: true })),
  ];
}

/** Metrics whose change a viewer may notice, with words for the change. The goodput of a call is its bitrate. */
function noticedBy({ conditions }: Pick<Plan, 'conditions'>): Words[] {
  const [name, rate] = conditions.every(isCall) ? ['Bitrate', 'bitrate'] : ['Goodput', 'goodput'];
  return [
    { id: 'stall-time', name: 'Stalled time', more: 'more stalled time', less: 'less stalled time', better: 'lower' },
    { id: 'frame-rate', name: 'Frame rate', more: 'higher frame rate', less: 'lower frame rate', better: 'higher' },
    { id: 'goodput', name, more: `higher ${rate}`, less: `lower ${rate}`, better: 'higher' },
    {
      id: 'frame-latency-p95',
      name: 'Frame latency, 95th percentile',
      more: 'higher 95th percentile of frame latency',
      less: 'lower 95th percentile of frame latency',
      better: 'lower',
    },
  ];
}

export type Judged = Effect & { test: PairedTest; unit: string };

export function isChange({ pairs, correctedP, shift }: PairedTest): boolean {
  return (
    pairs >= fewest &&
    correctedP !== null &&
    correctedP < significance &&
    shift.low !== null &&
    (shift.low > 0 || shift.high! < 0)
  );
}

/** Returns the effects of a condition that have at least one pair of trials, each with its test. */
export function judged({ tests }: Comparison, { plan, summary }: Pick<ReportData, 'plan' | 'summary'>): Judged[] {
  return effectsOf({ plan, summary }).flatMap(effect => {
    // a service that does not report presented frames may report decoded ones
    const id = effect.id === 'frame-rate' && tests[effect.id]!.pairs === 0 ? 'decoded-frame-rate' : effect.id;
    const test = tests[id];
    return test === undefined || test.pairs === 0
      ? []
      : [{ ...effect, test, unit: quantityOf(summary.quantities, id).unit }];
  });
}

export const pairsOf = (all: readonly Judged[]) => Math.max(0, ...all.map(({ test }) => test.pairs));

/**
 * Explains why no difference is claimed. `pairs`: numbers of pairs of trials of some conditions; all are below
 * `fewest`.
 */
export function tooFewWords(pairs: readonly number[]): string {
  const few = pairs.join() === '1' ? 'one pair of trials is' : `${listed(pairs.map(String), 'or')} pairs of trials are`;
  return `${few} too few to claim a difference`;
}

export const changeName = ({ test, more, less }: Judged) => (test.shift.value! > 0 ? more : less);

/** Returns a noun for the compared quantity, such as "stalled time". */
export const nounOf = ({ more }: Judged) => more.replace(/^\w+ /, '');

export const isBetter = ({ test, better }: Judged) => test.shift.value! > 0 === (better === 'higher');

/**
 * Returns true if there are pairs that differ, but too few for the corrected test to show a change in this metric alone,
 * however large. Such a test says nothing about the difference.
 */
export const isUntestable = (test: PairedTest): boolean =>
  test.pairs >= fewest && !isChange(test) && test.changed > 0 && test.smallestShown === null;

/** Returns true if the difference has the same sign in every pair. */
const isAlike = ({ changed, pairs, effect }: PairedTest) => changed === pairs && Math.abs(effect ?? 0) === 1;

/** Returns the primary effects that cannot be tested although every pair of trials has a difference of the same sign. */
export const untestedAlike = (all: readonly Judged[]): Judged[] =>
  all.filter(({ test, isSecondary }) => !isSecondary && isUntestable(test) && isAlike(test));

/** Stands for the result of a test that the pairs are too few for. */
export const notTestable = 'not testable';

/** Describes a difference that cannot be tested: "all 6 pairs alike". Empty if the pairs differ in sign. */
export const alikeWords = (test: PairedTest) => (isAlike(test) ? `all ${test.pairs} pairs alike` : '');
