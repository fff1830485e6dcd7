/**
 * Gain of a player by a switch of strategy, and the decision if the switch pays. The bounds of the gain stay valid when
 * they are checked after every trial.
 *
 * The gain is the payoff after the switch, in the resulting state, minus the payoff before the switch. Both are means
 * of independent samples with different spreads, so standard error and degrees of freedom are Welch's. The amount of
 * information is the harmonic mean of the two numbers of trials.
 */
import { studentQuantile } from '../../../../core/stats/student-t.ts';
import type { Sample } from './evidence.ts';
import { type Range, unlimited, within } from './payoff-range.ts';
import { sequentialLevels } from './sequential-levels.ts';

export type Judge = {
  /** Least gain for which a player switches, in the payoff's unit. It is also the tolerance of the equilibrium. */
  tolerance: number;
  /** Confidence of a verdict, 0 to 1. */
  confidence: number;
  /** Maximum number of trials of a state. */
  most: number;
  /** Returns the range of the mean payoff of each of several players with one strategy. Default: no limits. */
  rangeOf?(players: number): Range;
};

export type Gain = {
  /** Estimated gain, in the payoff's unit. Null if either state has no trial. */
  estimate: number | null;
  /**
   * One-sided bounds of the gain, each at its requested level. Null if either state has fewer than three trials, or if
   * the standard error is 0.
   */
  low: number | null;
  high: number | null;
  /** Standard error of the gain. Null if either state has fewer than two trials. */
  error: number | null;
};

export type GainVerdict = 'profitable' | 'not-profitable' | 'open';

/** Least number of trials that each of the two states needs for a bound. Two trials hardly estimate the spread. */
export const fewestTrials = 3;
/** Number of checks per pair of trials (one of each state): the bounds are checked after each trial of either state. */
const looksPerTrial = 2;
/**
 * Least standard deviation that is assumed, as a part of the tolerance. Without it, trials with equal payoffs by chance
 * would count as trials without spread.
 */
const leastSpreadRatio = 0.1;
/**
 * Part of alpha that the bounds use. The rest covers the error made because both spreads are unequal and estimated from
 * few trials. Found by simulation (tests/sim/games.test.ts).
 */
const spentRatio = 0.9;
/** Maximum degrees of freedom for the quantiles. A larger number would not change them visibly. */
const mostFreedom = 400;

/** Cache with two numbers as key. Building a text key would take longer than the computation itself. */
class Kept<T> {
  readonly #byFirst = new Map<number, Map<number, T>>();

  at(first: number, second: number, make: () => T): T {
    let bySecond = this.#byFirst.get(first);
    if (bySecond === undefined) this.#byFirst.set(first, (bySecond = new Map<number, T>()));
    let value = bySecond.get(second);
    if (value === undefined) bySecond.set(second, (value = make()));
    return value;
  }
}

const levels = new Kept<readonly number[]>();
const quantiles = new Kept<number>();
const reaches = new Kept<number>();

function levelAt(alpha: number, most: number, look: number): number {
  const all = levels.at(alpha, most, () =>
    sequentialLevels(spentRatio * alpha, looksPerTrial * most, looksPerTrial * fewestTrials),
  );
  return all[Math.min(look, all.length) - 1]!;
}

/**
 * Computes and caches the levels of bounds. This takes up to a second, which would disturb a trial if done during it.
 * `alphas`: every alpha that bounds will use.
 */
export function prepareLevels(alphas: readonly number[], most: number): void {
  for (const alpha of alphas) for (const trials of [most, ...plannedTrials]) levelAt(alpha, trials, 1);
}

/**
 * Returns a quantile of Student's t-distribution. `freedom` is rounded down to a multiple of 0.5, which is precise
 * enough and limits the number of cached quantiles.
 */
function quantile(level: number, freedom: number): number {
  const rounded = Math.min(mostFreedom, Math.max(1, Math.floor(freedom * 2) / 2));
  return quantiles.at(level, rounded, () => studentQuantile(level, rounded));
}

/**
 * Returns the gain and its bounds. `alpha`: probability that one bound is wrong at any check. `range`: gains that are
 * possible.
 */
export function gainOf(
  stayed: Sample,
  switched: Sample,
  { tolerance, most }: Pick<Judge, 'tolerance' | 'most'>,
  alpha: number,
  range = unlimited,
): Gain {
  if (stayed.n === 0 || switched.n === 0) return { estimate: null, low: null, high: null, error: null };
  const estimate = switched.mean - stayed.mean;
  if (stayed.n < 2 || switched.n < 2) return { estimate, low: null, high: null, error: null };
  const least = (tolerance * leastSpreadRatio) ** 2;
  const [a, b] = [Math.max(stayed.variance, least) / stayed.n, Math.max(switched.variance, least) / switched.n];
  const error = Math.sqrt(a + b);
  // Without a tolerance there is no least spread, so trials that agree give no bounds.
  const isAlike = error === 0;
  if (stayed.n < fewestTrials || switched.n < fewestTrials || isAlike)
    return { estimate, low: null, high: null, error };
  const freedom = (a + b) ** 2 / (a ** 2 / (stayed.n - 1) + b ** 2 / (switched.n - 1));
  const look = Math.floor((looksPerTrial * 2 * stayed.n * switched.n) / (stayed.n + switched.n));
  const width = error * quantile(levelAt(alpha, most, look), freedom);
  return { estimate, ...within({ low: estimate - width, high: estimate + width }, range, estimate), error };
}

/** Probability with which the planned number of trials decides the switch, if the true gain equals the estimate. */
const power = 0.8;
/**
 * Numbers of trials that `trialsToDecide` tries. For larger numbers the function assumes that the squared error is
 * inversely proportional to the number of trials.
 */
const plannedTrials = [3, 4, 5, 6, 8, 10, 12, 15, 20, 25, 30, 40, 60, 80, 120];

/**
 * Returns the distance between gain and tolerance, in standard errors, that `n` trials of each of the two states decide
 * with probability `power`.
 */
function reachOf(alpha: number, n: number): number {
  return reaches.at(alpha, n, () => {
    const freedom = Math.max(1, n - 1);
    return quantile(levelAt(alpha, n, looksPerTrial * n), freedom) + quantile(1 - power, freedom);
  });
}

/**
 * Returns the number of trials of each of the two states that would decide the switch with a probability of 80 %, if
 * gain and spread are as measured and `run.most` is this number. The result is larger than the present number of trials
 * of either state. Null if nothing was measured; infinite if the gain equals the tolerance. `alphas`: alpha of the
 * bound that shows that a switch does not pay, and of the bound that shows that it pays.
 */
export function trialsToDecide(
  { estimate, error }: Gain,
  stayed: Sample,
  switched: Sample,
  tolerance: number,
  alphas: { not: number; pays: number },
): number | null {
  if (estimate === null || error === null) return null;
  const distance = Math.abs(tolerance - estimate);
  if (distance === 0 || error === 0) return Infinity; // trials that agree give no estimate
  const has = (2 * stayed.n * switched.n) / (stayed.n + switched.n);
  const alpha = estimate < tolerance ? alphas.not : alphas.pays;
  /** Ratio of needed to available information with `n` trials of each state. `n` suffices if the ratio is at most 1. */
  const shortfall = (n: number) => (has / n) * ((reachOf(alpha, n) * error) / distance) ** 2;
  const enough = plannedTrials.find(n => shortfall(n) <= 1);
  const last = plannedTrials.at(-1)!;
  return Math.max(stayed.n + 1, switched.n + 1, enough ?? Math.ceil(last * shortfall(last)));
}

/**
 * Returns the bounds of the mean of one payoff. Both bounds together hold at the judge's confidence. `range`: means that
 * are possible.
 */
export function meanBounds(
  { n, mean, variance }: Sample,
  { confidence, most }: Pick<Judge, 'confidence' | 'most'>,
  range = unlimited,
): { low: number | null; high: number | null } {
  if (n < fewestTrials) return { low: null, high: null };
  const width = Math.sqrt(variance / n) * quantile(levelAt((1 - confidence) / 2, most, looksPerTrial * n), n - 1);
  return within({ low: mean - width, high: mean + width }, range, mean);
}
