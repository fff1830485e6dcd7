/**
 * Judges the results of a run by the claims of a paper.
 *
 * A comparison is decided by the 95 % intervals of the medians alone. Two conditions differ if their intervals are
 * disjoint. If the claim gives an amount, two conditions differ by this amount if every value of one interval is that
 * far from every value of the other, and do not differ by it if no value is. Two conditions are alike if every value of
 * one interval is within a margin of every value of the other, and not alike if no value is. A bound is kept or missed
 * by a whole interval. With fewer than six trials there is no 95 % interval, and nothing is decided. A claim is
 * reproduced if all of its comparisons hold, and refuted if one of them is decided the other way.
 */
import { CoexistError } from '../../../core/errors.ts';
import { check } from '../../../core/schema/schema.ts';
import { unknownName } from '../../../core/text/nearest.ts';
import { parseRatio } from '../../../core/text/units.ts';
import { type Estimate, type Judgement, leastConfidence } from '../../../core/vocabulary/estimate.ts';
import type { ValueName } from '../../../core/vocabulary/subject.ts';
import { claimsSchema, isDifference } from '../../definition/claim.ts';
import type { Quantity } from '../metrics/metric.ts';
import { valueOver } from '../summary/named-value.ts';
import type { Results } from '../summary/results.ts';
import type { Gated } from './gated.ts';
import { limitOf, namedQuantity } from './threshold.ts';

/**
 * Margin around the value of the condition with which a claim compares another condition (`than`). `ratio`: share of
 * that value. `amount`: in the metric's unit.
 */
export type Margin = { ratio: number } | { amount: number };

/** Expected relation of a value to that of another condition (`than`), or to a bound. */
type Expectation =
  | { than: string; expects: 'lower' | 'higher'; by: Margin }
  | { than: string; expects: 'different' }
  | { than: string; expects: 'alike' | 'not-lower' | 'not-higher'; within: Margin }
  | { bound: 'below' | 'above'; limit: number };

type Comparison = ValueName & { condition: string } & Expectation;

type Claim = { text: string; source: string; holds: Comparison[] };

export type JudgedComparison = Comparison & {
  measured: Estimate;
  /** Value of the condition with which `condition` is compared (`than`); null if the claim gives a bound. */
  other: Estimate | null;
  judgement: Judgement;
};

export type JudgedClaim = Omit<Claim, 'holds'> & { holds: JudgedComparison[]; judgement: Judgement };

/** Margin of a claim that two conditions are alike, if the claim does not set one. */
const usualMargin: Margin = { ratio: 0.1 };

function marginOf(margin: string | number, quantity: Quantity, where: string): Margin {
  const share = typeof margin === 'string' ? parseRatio(margin) : undefined;
  const result = share === undefined ? { amount: limitOf(margin, quantity, where) } : { ratio: share };
  if (Object.values(result)[0]! > 0) return result;
  throw new CoexistError('bad-definition', `${where}: ${JSON.stringify(margin)} is no margin; it must be more than 0`);
}

/**
 * Resolves all claims of a plan. Throws `bad-definition`, which names the first claim that refers to something that
 * does not exist.
 */
export function resolveClaims(
  { study, definition, conditions, source }: Omit<Gated, 'quantities'>,
  quantities: readonly Quantity[],
): Claim[] {
  const more = "; --set 'claims=[]' runs the study without its claims";
  const known = (where: string, name: string) => {
    if (ids.includes(name)) return;
    throw unknownName('bad-definition', `${where}: there is no condition "${name}"`, name, ids, { more });
  };
  const ids = conditions.map(({ id }) => id);
  return check(claimsSchema, definition.claims, `${study}: claims`).map((claim, i) => ({
    text: claim.text,
    source: claim.source ?? source,
    holds: claim.holds.map(({ metric, of, condition, than, expects, by, within, below, above }, k): Comparison => {
      const where = `${study}: claims.${i}.holds.${k}`;
      const quantity = namedQuantity({ metric, of }, quantities, conditions, where, more);
      known(where, condition);
      const name = { metric, ...(of === undefined ? {} : { of }) };
      if (than === undefined) {
        return {
          ...name,
          condition,
          bound: below === undefined ? 'above' : 'below',
          limit: limitOf((below ?? above)!, quantity, where),
        };
      }
      known(where, than);
      if (expects === 'different') return { ...name, condition, than, expects };
      return isDifference(expects!)
        ? { ...name, condition, than, expects, by: by === undefined ? { ratio: 0 } : marginOf(by, quantity, where) }
        : {
            ...name,
            condition,
            than,
            expects: expects!,
            within: within === undefined ? usualMargin : marginOf(within, quantity, where),
          };
    }),
  }));
}

type Interval = { low: number; high: number };

function intervalOf({ low, high, confidence }: Estimate): Interval | null {
  return low === null || high === null || confidence === null || confidence < leastConfidence ? null : { low, high };
}

/** Returns the interval moved by `margin`, downwards (`sign` -1) or upwards (`sign` 1). */
function moved({ low, high }: Interval, margin: Margin, sign: -1 | 1): Interval {
  const of = (value: number) => ('ratio' in margin ? (1 + sign * margin.ratio) * value : value + sign * margin.amount);
  return { low: of(low), high: of(high) };
}

function below(own: Interval, edge: Interval): Judgement {
  if (own.high < edge.low) return 'right';
  return own.low > edge.high ? 'wrong' : 'undecided';
}

function notBelow(own: Interval, edge: Interval): Judgement {
  if (own.low >= edge.high) return 'right';
  return own.high < edge.low ? 'wrong' : 'undecided';
}

/**
 * Combines the judgements of a claim's comparisons. The result is wrong if one is wrong, and right only if all are
 * right.
 */
export function allOf(judgements: readonly Judgement[]): Judgement {
  if (judgements.includes('wrong')) return 'wrong';
  return judgements.every(judgement => judgement === 'right') ? 'right' : 'undecided';
}

/** Judges one comparison. `other`: value of the condition that `condition` is compared with; null for a bound. */
export function judgeComparison(comparison: Expectation, measured: Estimate, other: Estimate | null): Judgement {
  const own = intervalOf(measured);
  if (own === null) return 'undecided';
  if ('bound' in comparison) {
    const { bound, limit } = comparison;
    const keeps = (value: number) => (bound === 'below' ? value < limit : value > limit);
    return keeps(own.low) === keeps(own.high) ? (keeps(own.low) ? 'right' : 'wrong') : 'undecided';
  }
  const base = other === null ? null : intervalOf(other);
  if (base === null) return 'undecided';
  switch (comparison.expects) {
    case 'different':
      return own.high < base.low || own.low > base.high ? 'right' : 'undecided';
    case 'lower':
      return below(own, moved(base, comparison.by, -1));
    case 'higher':
      return below(moved(base, comparison.by, 1), own);
    case 'not-lower':
      return notBelow(own, moved(base, comparison.within, -1));
    case 'not-higher':
      return notBelow(moved(base, comparison.within, 1), own);
    case 'alike':
      return allOf([
        notBelow(own, moved(base, comparison.within, -1)),
        notBelow(moved(base, comparison.within, 1), own),
      ]);
  }
}

/** Judges each claim by the measured values, in the order of the definition. */
export function judgeClaims(claims: readonly Claim[], { conditions }: Pick<Results, 'conditions'>): JudgedClaim[] {
  const summaryOf = (condition: string, name: ValueName) =>
    valueOver(conditions.find(({ id }) => id === condition)!, name);
  return claims.map(claim => {
    const holds = claim.holds.map((comparison): JudgedComparison => {
      const measured = summaryOf(comparison.condition, comparison);
      const other = 'than' in comparison ? summaryOf(comparison.than, comparison) : null;
      return { ...comparison, measured, other, judgement: judgeComparison(comparison, measured, other) };
    });
    return { ...claim, holds, judgement: allOf(holds.map(({ judgement }) => judgement)) };
  });
}
