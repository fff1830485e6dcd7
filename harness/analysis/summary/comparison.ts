/**
 * Compares a condition with its baseline, pair by pair. Computes difference, factor and harm, and tests whether a
 * difference can be chance.
 */

import { harm } from '../../../core/stats/fair-share.ts';
import { correctedPs, significance } from '../../../core/stats/false-discovery.ts';
import {
  hodgesLehmann,
  leastP,
  rankBiserial,
  signedRankP,
  signedRanks,
  smallestShown,
} from '../../../core/stats/signed-rank.ts';
import { type Estimate, noEstimate } from '../../../core/vocabulary/estimate.ts';
import { families, headline } from '../../../core/vocabulary/headline.ts';
import { type Pair, pairsOf, repeatsApart } from '../../../core/vocabulary/trial-pairs.ts';
import type { Quantity } from '../metrics/metric.ts';
import type { Comparison, ConditionSummary, PairedTest, TrialSummary } from './summary.ts';
import { summariseValues } from './values.ts';

function test(pairs: readonly Pair[]): PairedTest {
  const differences = pairs.map(({ own, base }) => own - base);
  const ranks = signedRanks(differences);
  const shift = hodgesLehmann(differences);
  const some = differences.length > 0;
  return {
    pairs: differences.length,
    changed: ranks.ranks.length,
    shift:
      shift === undefined
        ? noEstimate
        : {
            value: shift.value,
            low: shift.interval?.low ?? null,
            high: shift.interval?.high ?? null,
            n: differences.length,
            confidence: shift.interval?.confidence ?? null,
          },
    effect: some ? rankBiserial(ranks) : null,
    p: some ? signedRankP(ranks) : null,
    correctedP: some ? signedRankP(ranks) : null,
    leastP: some ? leastP(ranks.ranks.length) : null,
    among: 0,
    smallestShown: null,
  };
}

/** Difference and factor of a quantity over pairs of trials. */
function changesOver(pairs: readonly Pair[]): { difference: Estimate; factor: Estimate } {
  const over = (of: (pair: Pair) => number | null) => summariseValues(pairs.map(of));
  return {
    difference: over(({ own, base }) => own - base),
    // no factor if a baseline value is 0: a factor of the other pairs would leave out the pairs with the lowest
    // baseline
    factor: pairs.some(({ base }) => base === 0) ? noEstimate : over(({ own, base }) => own / base),
  };
}

export function compare(
  condition: ConditionSummary,
  trials: readonly TrialSummary[],
  quantities: readonly Quantity[],
): Comparison {
  const comparison: Comparison = {
    condition: condition.id,
    baseline: condition.baseline,
    apart: repeatsApart(condition, trials),
    difference: {},
    factor: {},
    harm: {},
    tests: {},
    together: { difference: {}, factor: {} },
  };
  const ofOthers = trials.map(trial => ({ ...trial, metrics: trial.together }));
  for (const { id, better, together } of quantities) {
    const pairs = pairsOf(condition, trials, id);
    const { difference, factor } = changesOver(pairs);
    comparison.difference[id] = difference;
    comparison.factor[id] = factor;
    if (together === true) {
      const changes = changesOver(pairsOf(condition, ofOthers, id));
      comparison.together.difference[id] = changes.difference;
      comparison.together.factor[id] = changes.factor;
    }
    if (better === null) continue;
    const harms = pairs.map(({ own, base }) => harm(base, own, better));
    comparison.harm[id] = harms.includes(null) ? noEstimate : summariseValues(harms);
    comparison.tests[id] = test(pairs);
  }
  return comparison;
}

/** Returns true if enough pairs differ for a p below the level of significance (Tarone, 1990; Gilbert, 2005). */
const canFind = ({ leastP: least }: PairedTest) => least !== null && least < significance;

/**
 * Corrects the p values of each family of tests. Only tests that can give a small p count for the correction. `primary`:
 * quantities whose tests are the first family.
 */
export function correctTests(
  comparisons: readonly Comparison[],
  trials: readonly TrialSummary[],
  primary: readonly string[] = headline,
): void {
  const all = comparisons.flatMap(({ condition: id, baseline, tests }) =>
    Object.entries(tests).map(([quantity, of]) => ({ id, baseline, quantity, of })),
  );
  for (const family of families(all, ({ quantity }) => quantity, primary)) {
    const able = family.filter(({ of }) => canFind(of));
    const corrected = correctedPs(able.map(({ of }) => of.p!));
    for (const [i, { of }] of able.entries()) of.correctedP = corrected[i]!;
    for (const { id, baseline, quantity, of } of family) {
      of.among = able.length;
      if (of.changed > 0)
        of.smallestShown =
          smallestShown(
            pairsOf({ id, baseline }, trials, quantity).map(({ own, base }) => own - base),
            significance / Math.max(1, able.length),
          ) ?? null;
    }
  }
}
