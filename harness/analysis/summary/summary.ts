/**
 * Contents of summary.json: all metrics of all trials and conditions, with n and interval, and the comparisons with the
 * baseline.
 */
import type { Spread } from '../../../core/stats/variance-components.ts';
import type { Verdict } from '../../record/trial-file.ts';
import type { Quantity } from '../metrics/metric.ts';

/** A value with its interval. */
export type SummaryValue = {
  /** Median over trials; null if no trial has the value. */
  value: number | null;
  /** Interval of the median; null for fewer than two trials. */
  low: number | null;
  high: number | null;
  /** Number of trials with a value. */
  n: number;
  /**
   * Coverage of the interval, 0 to 1. With at least six trials it is 0.95 or more; with fewer, the interval is the
   * range of the values.
   */
  confidence: number | null;
};

export type TrialSummary = {
  /** Folder name. */
  name: string;
  condition: string;
  repeat: number;
  attempt: number;
  /** Name of the machine that ran it; null if its record does not name one. */
  machine: string | null;
  verdict: Verdict;
  /** Description of the flood as measured; null without a flood. */
  flood: string | null;
  /** Null for void trials. */
  metrics: Record<string, number | null> | null;
  /** Quantities of each application other than the subject. Null for void trials. */
  others: Record<string, Record<string, number | null>> | null;
  /** Metrics that could not be computed, with the reason. */
  problems: string[];
};

/** A value outside Tukey's fences `low` and `high`. */
export type Outlier = { quantity: string; trial: string; value: number; low: number; high: number };

/**
 * The least disturbed try of a condition without a valid trial (least-disturbed.ts). It is void: it enters no median,
 * interval, test or judgement, and must not be published.
 */
export type DisturbedTry = Pick<TrialSummary, 'name' | 'verdict' | 'problems'> & {
  forPublication: false;
  metrics: Record<string, number | null>;
  others: Record<string, Record<string, number | null>>;
};

export type ConditionSummary = {
  id: string;
  title: string;
  baseline: string;
  /** Number of valid trials. */
  trials: number;
  /** Number of valid trials that the machine disturbed a little. */
  degraded: number;
  voided: number;
  /**
   * Reasons why tries are void or degraded, without their numbers, and the number of tries with each; the most frequent
   * first.
   */
  reasons: { status: 'degraded' | 'invalid'; text: string; tries: number }[];
  /**
   * The headline over all complete tries, including void ones. It shows whether leaving out void tries changes the
   * result.
   */
  everyTry: { tries: number; metrics: Record<string, SummaryValue> };
  metrics: Record<string, SummaryValue>;
  /**
   * Applications other than the subject, in the order of the condition, with the quantities that at least one trial
   * has.
   */
  others: { name: string; metrics: Record<string, SummaryValue> }[];
  /** Null if the condition has a valid trial, or no try that can be shown. */
  disturbed: DisturbedTry | null;
  /** Trials far from the others. They are not left out. */
  outliers: Outlier[];
};

/** Test whether a difference from the baseline can be chance (core/stats/signed-rank.ts). */
export type PairedTest = {
  /** Number of pairs of trials, and of pairs with two different values. */
  pairs: number;
  changed: number;
  /** Hodges-Lehmann estimate of condition minus baseline. */
  shift: SummaryValue;
  /** Matched-pairs rank-biserial correlation, -1 to 1: agreement of the pairs on the direction. Null without a pair. */
  effect: number | null;
  /** p of Wilcoxon's signed-rank test, exact, two-sided. */
  p: number | null;
  /**
   * p corrected (Benjamini and Hochberg) for all tests of its family, headline or others, that can have a small p
   * (headline.ts).
   */
  correctedP: number | null;
  /** Number of tests in this correction. */
  among: number;
  /**
   * Smallest true shift that these pairs would show in 95 of 100 studies among that number of tests, if it were the
   * only one; null if they would show none, however large.
   */
  smallestShown: number | null;
  /** Smallest p that this number of differing pairs can give. */
  leastP: number | null;
};

/** A condition compared with its baseline. A pair is two trials of one repeat that ran on one machine. */
export type Comparison = {
  condition: string;
  baseline: string;
  /** Repeats with two valid trials on two different machines, which are not pairs. */
  apart: number;
  /** Condition minus baseline. */
  difference: Record<string, SummaryValue>;
  /** Condition divided by baseline; without a value if a baseline trial has 0. */
  factor: Record<string, SummaryValue>;
  /**
   * Share of the baseline's performance that is lost, for quantities with a better side; without a value if that
   * divides by 0 in a trial.
   */
  harm: Record<string, SummaryValue>;
  /** Tests of the quantities with a better side. */
  tests: Record<string, PairedTest>;
};

/** Differences between the machines of a study. */
export type MachineSummary = {
  /** Number of valid trials on each machine. */
  machines: { name: string; trials: number }[];
  conditions: {
    id: string;
    /** Valid trials by machine. */
    trials: Record<string, number>;
    /** Spread of the headline's quantities. `medians`: of each machine that has a value. */
    spread: Record<string, Spread & { medians: Record<string, SummaryValue> }>;
  }[];
  /** Conditions with at least half of the trials on other machines than those of their baseline. */
  mixedUp: string[];
};

export type Summary = {
  format: 1;
  study: string;
  title: string;
  quantities: Quantity[];
  trials: TrialSummary[];
  conditions: ConditionSummary[];
  comparisons: Comparison[];
  /** Null if all valid trials ran on one machine. */
  machines: MachineSummary | null;
};
