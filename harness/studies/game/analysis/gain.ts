/**
 * The gain of a player by a switch of strategy, and if the switch pays. The bounds stay valid when they are checked
 * after every trial.
 *
 * The gain is the payoff after the switch, in the resulting state, minus the payoff before it. These are two
 * independent samples with different spreads, so standard error and degrees of freedom are Welch's. The amount of
 * information is the harmonic mean of both numbers of trials.
 */
import { studentQuantile } from '../../../../core/stats/student-t.ts';
import type { Sample } from './evidence.ts';
import { sequentialLevels } from './sequential-levels.ts';

export type Judge = {
  /** Least gain for which a player switches, in the payoff's unit. It is the tolerance of the equilibrium. */
  tolerance: number;
  /** Confidence, 0 to 1. */
  confidence: number;
  /** Maximum number of trials of a state. */
  most: number;
};

export type Gain = {
  /** Null if a state has no trial. */
  estimate: number | null;
  /**
   * Bounds of the gain, one-sided, each at its requested level. Null if a state has fewer than three trials, or if the
   * standard error is 0.
   */
  low: number | null;
  high: number | null;
  /** Standard error. Null if a state has fewer than two trials. */
  error: number | null;
};

export type GainVerdict = 'profitable' | 'not-profitable' | 'open';

/** Least number of trials of both states for a bound. Two trials hardly estimate the spread. */
export const fewestTrials = 3;
/** Looks per trial of both states: a look follows each trial of either state. */
const looksPerTrial = 2;
/**
 * Least standard deviation, as a part of the tolerance. Trials that agree by chance must not count as trials without
 * spread.
 */
const leastSpreadRatio = 0.1;
/**
 * Part of alpha that is spent. The rest covers the error of spreads that are unequal and estimated from few trials.
 * Found by simulation (tests/sim/games.test.ts).
 */
const spentRatio = 0.9;
/** Maximum degrees of freedom of the quantiles. More would not change them visibly. */
const mostFreedom = 400;

/** Cache by two numbers. A key made of text would take longer than the computation. */
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
 * Computes the levels of bounds in advance, which takes up to a second. During a trial it would disturb the
 * measurement. `alphas`: all levels of later bounds.
 */
export function prepareLevels(alphas: readonly number[], most: number): void {
  for (const alpha of alphas) for (const trials of [most, ...plannedTrials]) levelAt(alpha, trials, 1);
}

/**
 * Returns a quantile of Student's distribution. Freedom is rounded down to half a degree, which is precise enough and
 * limits the number of quantiles.
 */
function quantile(level: number, freedom: number): number {
  const rounded = Math.min(mostFreedom, Math.max(1, Math.floor(freedom * 2) / 2));
  return quantiles.at(level, rounded, () => studentQuantile(level, rounded));
}

/** Returns gain and bounds. `alpha`: probability that one bound is wrong at any look. */
export function gainOf(
  stayed: Sample,
  switched: Sample,
  { tolerance, most }: Pick<Judge, 'tolerance' | 'most'>,
  alpha: number,
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
  return { estimate, low: estimate - width, high: estimate + width, error };
}

/** Probability that a planned number of trials decides a gain equal to its estimate. */
const power = 0.8;
/** Numbers of trials that are tried. Beyond them, the square of the error is inversely proportional to the number. */
const plannedTrials = [3, 4, 5, 6, 8, 10, 12, 15, 20, 25, 30, 40, 60, 80, 120];

/**
 * Returns the distance from the tolerance, in standard errors, that n trials of each of both states decide with this
 * power.
 */
function reachOf(alpha: number, n: number): number {
  return reaches.at(alpha, n, () => {
    const freedom = Math.max(1, n - 1);
    return quantile(levelAt(alpha, n, looksPerTrial * n), freedom) + quantile(1 - power, freedom);
  });
}

/**
 * Returns the number of trials of each of both states that would decide with a probability of 80 %, if gain and spread
 * are as measured and `run.most` is this number. The result is above the number of trials of either state. Null if
 * nothing is known; infinite if the gain equals the tolerance. `alphas`: levels of the bounds that show that a switch
 * does not pay, and that it does.
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
  /** Ratio of needed to available information with n trials; n suffices if it is at most 1. */
  const shortfall = (n: number) => (has / n) * ((reachOf(alpha, n) * error) / distance) ** 2;
  const enough = plannedTrials.find(n => shortfall(n) <= 1);
  const last = plannedTrials.at(-1)!;
  return Math.max(stayed.n + 1, switched.n + 1, enough ?? Math.ceil(last * shortfall(last)));
}

/** Returns the bounds of one payoff, both together at the judge's confidence. */
export function meanBounds(
  { n, mean, variance }: Sample,
  { confidence, most }: Pick<Judge, 'confidence' | 'most'>,
): { low: number | null; high: number | null } {
  if (n < fewestTrials) return { low: null, high: null };
  const width = Math.sqrt(variance / n) * quantile(levelAt((1 - confidence) / 2, most, looksPerTrial * n), n - 1);
  return { low: mean - width, high: mean + width };
}
