/**
 * The gain of a player by a switch of strategy, with bounds that stay valid when they are checked after every trial,
 * and whether the switch pays.
 *
 * The gain is the payoff after the switch, in the state that it makes, minus the payoff before it: two independent
 * samples with spreads of their own, so Welch's standard error and degrees of freedom. How much is known goes by the
 * harmonic mean of both numbers of trials.
 */
import { studentQuantile } from '../../../core/stats/student-t.ts';
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
const fewestTrials = 3;
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

const levels = new Map<string, readonly number[]>();
const quantiles = new Map<string, number>();

function levelAt(alpha: number, most: number, look: number): number {
  const key = `${alpha} ${most}`;
  let all = levels.get(key);
  if (all === undefined)
    levels.set(key, (all = sequentialLevels(spentRatio * alpha, looksPerTrial * most, looksPerTrial * fewestTrials)));
  return all[Math.min(look, all.length) - 1]!;
}

/** Half of a degree is precise enough, and makes few quantiles. */
function quantile(level: number, freedom: number): number {
  const rounded = Math.min(mostFreedom, Math.max(1, Math.floor(freedom * 2) / 2));
  const key = `${level} ${rounded}`;
  let t = quantiles.get(key);
  if (t === undefined) quantiles.set(key, (t = studentQuantile(level, rounded)));
  return t;
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
  if (stayed.n < fewestTrials || switched.n < fewestTrials) return { estimate, low: null, high: null, error };
  const freedom = (a + b) ** 2 / (a ** 2 / (stayed.n - 1) + b ** 2 / (switched.n - 1));
  const look = Math.floor((looksPerTrial * 2 * stayed.n * switched.n) / (stayed.n + switched.n));
  const width = error * quantile(levelAt(alpha, most, look), freedom);
  return { estimate, low: estimate - width, high: estimate + width, error };
}

/**
 * How many trials of each of both states would decide, by what is known of gain and spread; null where nothing is.
 * Never less than there are: a gain that lies at the tolerance itself takes more than any number.
 */
export function trialsToDecide(
  { estimate, error }: Gain,
  stayed: Sample,
  switched: Sample,
  { tolerance, confidence, most }: Judge,
): number | null {
  if (estimate === null || error === null) return null;
  const has = (2 * stayed.n * switched.n) / (stayed.n + switched.n);
  const distance = Math.abs(tolerance - estimate);
  const t = quantile(levelAt(1 - confidence, most, looksPerTrial * most), mostFreedom);
  return distance === 0 ? Infinity : Math.max(Math.ceil(has) + 1, Math.ceil(has * ((t * error) / distance) ** 2));
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
