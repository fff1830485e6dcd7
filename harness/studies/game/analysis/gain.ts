/**
 * The gain of a player by a switch of strategy, with bounds that stay valid when they are checked after every trial,
 * and whether the switch pays.
 *
 * The gain is the payoff after the switch, in the state that it makes, minus the payoff before it: two independent
 * samples with spreads of their own, so Welch's standard error and degrees of freedom. How much is known goes by the
 * harmonic mean of both numbers of trials.
 */
import { studentQuantile } from '../../../../core/stats/student-t.ts';
import type { Sample } from './evidence.ts';
import { sequentialLevels } from './sequential-levels.ts';

export type Judge = {
  /** Least gain for which a player switches, in the payoff's unit; the tolerance of the equilibrium. */
  tolerance: number;
  /** 0 to 1. */
  confidence: number;
  /** Trials that a state may have. */
  most: number;
};

export type Gain = {
  /** Null where one of both was not measured. */
  estimate: number | null;
  /** One-sided bounds, each at the level that it was asked for; null below three trials of either. */
  low: number | null;
  high: number | null;
  /** Standard error; null where there is no estimate, or one trial of either. */
  error: number | null;
};

export type GainVerdict = 'profitable' | 'not-profitable' | 'open';

/** Trials of both states before anything is said with confidence: two give next to no idea of the spread. */
export const fewestTrials = 3;
/** Looks for each trial of both states: one after the trial of either. */
const looksPerTrial = 2;
/**
 * Trials that happen to agree must not pass for trials without spread: at least this part of the tolerance is taken for
 * it.
 */
const leastSpreadRatio = 0.1;
/**
 * Part of alpha that is spent: the rest pays for spreads that are estimated from few trials and not alike. By
 * simulation (tests/sim/games.test.ts).
 */
const spentRatio = 0.9;
/** Of the levels: beyond it more degrees of freedom change nothing that shows. */
const mostFreedom = 400;

/** By two numbers: a text made of them would take longer than what it finds. */
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
 * Computes what bounds need beforehand, in up to a second: while trials run it would hold up what measures them.
 * `alphas`: all that bounds are asked for at.
 */
export function prepareLevels(alphas: readonly number[], most: number): void {
  for (const alpha of alphas) for (const trials of [most, ...plannedTrials]) levelAt(alpha, trials, 1);
}

/** Half of a degree is precise enough, and makes few quantiles. */
function quantile(level: number, freedom: number): number {
  const rounded = Math.min(mostFreedom, Math.max(1, Math.floor(freedom * 2) / 2));
  return quantiles.at(level, rounded, () => studentQuantile(level, rounded));
}

/** `alpha`: probability that one bound is ever on the wrong side. */
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
  // without a tolerance nothing says how little spread is too little to be believed
  const isAlike = error === 0;
  if (stayed.n < fewestTrials || switched.n < fewestTrials || isAlike)
    return { estimate, low: null, high: null, error };
  const freedom = (a + b) ** 2 / (a ** 2 / (stayed.n - 1) + b ** 2 / (switched.n - 1));
  const look = Math.floor((looksPerTrial * 2 * stayed.n * switched.n) / (stayed.n + switched.n));
  const width = error * quantile(levelAt(alpha, most, look), freedom);
  return { estimate, low: estimate - width, high: estimate + width, error };
}

/** Of a study that is planned: the probability that so many trials decide a gain that is as it was estimated. */
const power = 0.8;
/** Numbers of trials that are tried; between and beyond them the square of the error goes down with the number. */
const plannedTrials = [3, 4, 5, 6, 8, 10, 12, 15, 20, 25, 30, 40, 60, 80, 120];

/** The distance that n trials of each of both states decide with that power, in standard errors. */
function reachOf(alpha: number, n: number): number {
  return reaches.at(alpha, n, () => {
    const freedom = Math.max(1, n - 1);
    return quantile(levelAt(alpha, n, looksPerTrial * n), freedom) + quantile(1 - power, freedom);
  });
}

/**
 * How many trials of each of both states would decide, with a probability of 80 %, if gain and spread are as they were
 * measured and `run.most` is that number; null where nothing is known. More than either state has; infinite where the
 * gain lies at the tolerance itself. `alphas`: of the bound that shows that a switch does not pay, and that it does.
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
  if (distance === 0 || error === 0) return Infinity; // of trials that agree nothing can be told
  const has = (2 * stayed.n * switched.n) / (stayed.n + switched.n);
  const alpha = estimate < tolerance ? alphas.not : alphas.pays;
  /** By how much the square of the distance falls short, with n trials: at most 1 is enough. */
  const shortfall = (n: number) => (has / n) * ((reachOf(alpha, n) * error) / distance) ** 2;
  const enough = plannedTrials.find(n => shortfall(n) <= 1);
  const last = plannedTrials.at(-1)!;
  return Math.max(stayed.n + 1, switched.n + 1, enough ?? Math.ceil(last * shortfall(last)));
}

/** Bounds of one payoff, both together at the judge's confidence. */
export function meanBounds(
  { n, mean, variance }: Sample,
  { confidence, most }: Pick<Judge, 'confidence' | 'most'>,
): { low: number | null; high: number | null } {
  if (n < fewestTrials) return { low: null, high: null };
  const width = Math.sqrt(variance / n) * quantile(levelAt((1 - confidence) / 2, most, looksPerTrial * n), n - 1);
  return { low: mean - width, high: mean + width };
}
