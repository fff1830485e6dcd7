/**
 * Holds the results of a run against what a paper found.
 *
 * A comparison is decided by the 95 % intervals of the medians alone: two conditions differ where their intervals are
 * disjoint; they are alike where every value of the one interval is within a margin of every value of the other, and
 * not alike where none is; a bound is kept or missed by a whole interval. With fewer than six trials there is no 95 %
 * interval, and nothing is decided. A claim is reproduced where all of its comparisons hold, and refuted where one is
 * decided the other way.
 */
import { CoexistError } from '../../core/errors.ts';
import { nearest } from '../../core/nearest.ts';
import { check } from '../../core/schema.ts';
import { claimsSchema } from '../experiment/claim.ts';
import type { Plan } from '../experiment/plan.ts';
import type { Quantity } from '../metrics/metric.ts';
import type { Summary, SummaryValue } from '../summary/summary.ts';
import { limitOf } from './threshold.ts';

type Judgement = 'right' | 'wrong' | 'undecided';

type Comparison = {
  metric: string;
  condition: string;
} & (
  | { than: string; expects: 'lower' | 'higher' }
  | { than: string; expects: 'alike'; withinRatio: number }
  | { bound: 'below' | 'above'; limit: number }
);

type Claim = { text: string; source: string; holds: Comparison[] };

export type JudgedComparison = Comparison & {
  measured: SummaryValue;
  /** Of the condition that it is compared with; null of a bound. */
  other: SummaryValue | null;
  judgement: Judgement;
};

export type JudgedClaim = Omit<Claim, 'holds'> & { holds: JudgedComparison[]; judgement: Judgement };

/** How far alike ones may be apart where the claim does not say. */
const usualWithinRatio = 0.1;
const leastConfidence = 0.95;

type Claimed = Pick<Plan, 'study' | 'definition' | 'conditions' | 'source'>;

/** Every claim of a plan. Throws an error that names the first that asks for something that there is not. */
export function resolveClaims(
  { study, definition, conditions, source }: Claimed,
  quantities: readonly Quantity[],
): Claim[] {
  const known = (where: string, kind: string, name: string, names: readonly string[]) => {
    if (names.includes(name)) return;
    const meant = nearest(name, names);
    throw new CoexistError(
      'bad-definition',
      `${where}: there is no ${kind} "${name}"${meant === undefined ? '' : `; did you mean "${meant}"?`}`,
      { hint: `known: ${names.join(', ')}; --set 'claims=[]' runs the study without its claims` },
    );
  };
  const ids = conditions.map(({ id }) => id);
  return check(claimsSchema, definition.claims, `${study}: claims`).map((claim, i) => ({
    text: claim.text,
    source: claim.source ?? source,
    holds: claim.holds.map(({ metric, condition, than, expects, within, below, above }, k): Comparison => {
      const where = `${study}: claims.${i}.holds.${k}`;
      known(
        where,
        'metric',
        metric,
        quantities.map(({ id }) => id),
      );
      known(where, 'condition', condition, ids);
      if (than === undefined) {
        const quantity = quantities.find(({ id }) => id === metric)!;
        return {
          metric,
          condition,
          bound: below === undefined ? 'above' : 'below',
          limit: limitOf((below ?? above)!, quantity, where),
        };
      }
      known(where, 'condition', than, ids);
      return expects === 'alike'
        ? { metric, condition, than, expects, withinRatio: within ?? usualWithinRatio }
        : { metric, condition, than, expects: expects! };
    }),
  }));
}

type Interval = { low: number; high: number };

function intervalOf({ low, high, confidence }: SummaryValue): Interval | null {
  return low === null || high === null || confidence === null || confidence < leastConfidence ? null : { low, high };
}

function judge(comparison: Comparison, measured: SummaryValue, other: SummaryValue | null): Judgement {
  const own = intervalOf(measured);
  if (own === null) return 'undecided';
  if ('bound' in comparison) {
    const { bound, limit } = comparison;
    const keeps = (value: number) => (bound === 'below' ? value < limit : value > limit);
    return keeps(own.low) === keeps(own.high) ? (keeps(own.low) ? 'right' : 'wrong') : 'undecided';
  }
  const base = other === null ? null : intervalOf(other);
  if (base === null) return 'undecided';
  if (comparison.expects !== 'alike') {
    const found = own.high < base.low ? 'lower' : own.low > base.high ? 'higher' : undefined;
    return found === undefined ? 'undecided' : found === comparison.expects ? 'right' : 'wrong';
  }
  const [least, most] = [1 - comparison.withinRatio, 1 + comparison.withinRatio];
  if (own.low >= least * base.high && own.high <= most * base.low) return 'right';
  return own.high < least * base.low || own.low > most * base.high ? 'wrong' : 'undecided';
}

/** Each claim with what was measured, in the order of the definition. */
export function judgeClaims(claims: readonly Claim[], { conditions }: Pick<Summary, 'conditions'>): JudgedClaim[] {
  const summaryOf = (condition: string, metric: string) =>
    conditions.find(({ id }) => id === condition)!.metrics[metric]!;
  return claims.map(claim => {
    const holds = claim.holds.map((comparison): JudgedComparison => {
      const measured = summaryOf(comparison.condition, comparison.metric);
      const other = 'than' in comparison ? summaryOf(comparison.than, comparison.metric) : null;
      return { ...comparison, measured, other, judgement: judge(comparison, measured, other) };
    });
    const judgements = holds.map(({ judgement }) => judgement);
    return {
      ...claim,
      holds,
      judgement: judgements.includes('wrong')
        ? 'wrong'
        : judgements.every(judgement => judgement === 'right')
          ? 'right'
          : 'undecided',
    };
  });
}
