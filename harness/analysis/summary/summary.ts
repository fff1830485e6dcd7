/**
 * Contents of summary.json: all metrics of all trials; for each condition the medians with their intervals and numbers
 * of trials; and the comparisons with the baseline.
 */

import type { Spread } from '../../../core/stats/variance-components.ts';
import type { Estimate } from '../../../core/vocabulary/estimate.ts';
import type { ValuesByPart } from '../../../core/vocabulary/subject.ts';
import type { Verdict } from '../../record/trial-file.ts';
import type { MetricValues, Quantity } from '../metrics/metric.ts';

export type TrialSummary = {
  /** Name of the trial's folder. */
  name: string;
  condition: string;
  repeat: number;
  attempt: number;
  /** Name of the machine that ran the trial; null if the record does not name a machine. */
  machine: string | null;
  verdict: Verdict;
  /** Description of the flood as measured; null without a flood. */
  flood: string | null;
  /**
   * Values of the subject, the link and all applications (`metrics`), of each application other than the subject
   * (`others`), and of these applications together (`together`), by the id of the quantity. Null for a void trial.
   * `hops`: values at each bottleneck but the first, by its name (hops.ts); missing if the link has no other.
   */
  metrics: MetricValues | null;
  others: Record<string, MetricValues> | null;
  together: MetricValues | null;
  hops?: Record<string, MetricValues>;
  /** Metrics that could not be computed, with the reasons. */
  problems: string[];
};

/** Value outside Tukey's fences, which are `low` and `high`. `of`: see `ValueName` (core/vocabulary/subject.ts). */
export type Outlier = { quantity: string; of?: string; trial: string; value: number; low: number; high: number };

/**
 * Least disturbed try of a condition without a valid trial (least-disturbed.ts). The try is void: it does not enter any
 * median, interval, test or judgement, and its values must not be published.
 */
export type DisturbedTry = Pick<TrialSummary, 'name' | 'verdict' | 'problems'> &
  ValuesByPart<MetricValues> & {
    forPublication: false;
  };

export type ConditionSummary = ValuesByPart<Record<string, Estimate>> & {
  id: string;
  title: string;
  baseline: string;
  /** Name of the application that the study is about. `metrics` are its values. */
  subject: string;
  /** Number of valid trials of the condition. */
  trials: number;
  /** Number of valid trials that the machine disturbed below the limit. */
  degraded: number;
  voided: number;
  /**
   * Reasons why tries are void or degraded, with the numbers in the text left out, and the number of tries with each
   * reason. The most frequent reason comes first.
   */
  reasons: { status: 'degraded' | 'invalid'; text: string; tries: number }[];
  /**
   * Headline values over all complete tries, including void ones. They show whether leaving out void tries changes the
   * result.
   */
  everyTry: { tries: number; metrics: Record<string, Estimate> };
  /** Least disturbed try; null if the condition has a valid trial, or if no try can be shown. */
  disturbed: DisturbedTry | null;
  /** Values far from those of the other trials. They enter the medians nevertheless. */
  outliers: Outlier[];
};

/** Result of the test whether a difference from the baseline can be chance (core/stats/signed-rank.ts). */
export type PairedTest = {
  /** Number of pairs of trials (`pairs`), and of pairs with two different values (`changed`). */
  pairs: number;
  changed: number;
  /** Hodges-Lehmann estimate of the difference, condition minus baseline. */
  shift: Estimate;
  /**
   * Matched-pairs rank-biserial correlation, -1 to 1, which measures how far the pairs agree on the direction of the
   * difference. Null without a pair.
   */
  effect: number | null;
  /** p value of Wilcoxon's signed-rank test, exact and two-sided; null without a pair. */
  p: number | null;
  /**
   * p value, corrected (Benjamini and Hochberg) for all tests of the same family that can give a small p. The families
   * are the primary quantities and the others (headline.ts).
   */
  correctedP: number | null;
  /** Number of tests for which `correctedP` is corrected. */
  among: number;
  /**
   * Smallest true shift that these pairs would show in 95 of 100 studies, if it were the only true shift among the
   * tests for which p is corrected. Null if the pairs would show no shift, however large.
   */
  smallestShown: number | null;
  /** Smallest p that a test with this number of differing pairs can give; null without a pair. */
  leastP: number | null;
};

/** Changes from the baseline. */
type Changes = {
  /** Value of the condition minus value of the baseline, by quantity. */
  difference: Record<string, Estimate>;
  /**
   * Value of the condition divided by value of the baseline, by quantity. Without a value if a trial of the baseline
   * has 0.
   */
  factor: Record<string, Estimate>;
};

/** Condition compared with its baseline. A pair is two trials of the same repeat that ran on one machine. */
export type Comparison = Changes & {
  condition: string;
  baseline: string;
  /** Number of repeats whose two valid trials ran on different machines, so that the two trials are not a pair. */
  apart: number;
  /** Changes of the applications other than the subject, together. */
  together: Changes;
  /**
   * Share of the baseline's performance that is lost in the condition, for quantities of which one direction is better.
   * Without a value if the division is by 0 in a trial.
   */
  harm: Record<string, Estimate>;
  /** Test of each quantity of which one direction is better. */
  tests: Record<string, PairedTest>;
};

/** Differences between the machines of a study. */
export type MachineSummary = {
  /** Names of the machines, and the number of valid trials on each machine. */
  machines: { name: string; trials: number }[];
  conditions: {
    id: string;
    /** Number of valid trials on each machine, by the name of the machine. */
    trials: Record<string, number>;
    /** Spread of each headline quantity over the machines. `medians`: median of each machine that has a value. */
    spread: Record<string, Spread & { medians: Record<string, Estimate> }>;
  }[];
  /** Conditions of which at least half of the trials ran on other machines than the trials of their baseline. */
  mixedUp: string[];
};

/**
 * Number of the format of summary.json. Format 1 had the role of an application in the ids of quantities, such as
 * "flood-goodput".
 */
export const summaryFormat = 2;

export type Summary = {
  format: typeof summaryFormat;
  study: string;
  title: string;
  quantities: Quantity[];
  trials: TrialSummary[];
  conditions: ConditionSummary[];
  comparisons: Comparison[];
  /** Differences between the machines; null if all valid trials ran on one machine. */
  machines: MachineSummary | null;
};
