/**
 * summary.json: every metric of every trial and condition, with n and interval, and the comparisons with the baseline.
 */
import type { Spread } from '../../../core/stats/variance-components.ts';
import type { Verdict } from '../../record/trial-file.ts';
import type { Quantity } from '../metrics/metric.ts';

/** A number with its certainty. */
export type SummaryValue = {
  /** Median over trials; null where no trial has the value. */
  value: number | null;
  /** Interval of the median; null for fewer than two trials. */
  low: number | null;
  high: number | null;
  /** Trials with a value. */
  n: number;
  /** Coverage of the interval, 0 to 1: 0.95 or more from six trials on, the coverage of the range below. */
  confidence: number | null;
};

export type TrialSummary = {
  /** Folder name. */
  name: string;
  condition: string;
  repeat: number;
  attempt: number;
  /** Name of the machine that ran it; null where its record does not say. */
  machine: string | null;
  verdict: Verdict;
  /** What the flood really was, or null. */
  flood: string | null;
  /** Null for trials that do not count. */
  metrics: Record<string, number | null> | null;
  /**
   * Of each application but the subject: the quantities that are of an application. Null for trials that do not count.
   */
  others: Record<string, Record<string, number | null>> | null;
  /** Metrics that could not be computed, and why. */
  problems: string[];
};

/** A value beyond Tukey's fences, which are `low` and `high`. */
export type Outlier = { quantity: string; trial: string; value: number; low: number; high: number };

/**
 * The least disturbed try of a condition without a valid trial (least-disturbed.ts). It is void: it is in no median,
 * interval, test or judgement, and not for publication.
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
  /** Trials that count. */
  trials: number;
  /** Those of them that the machine disturbed a little. */
  degraded: number;
  voided: number;
  /** Why tries were voided or degraded, without the numbers, and how many say so; the most frequent first. */
  reasons: { status: 'degraded' | 'invalid'; text: string; tries: number }[];
  /**
   * The headline over every try that was measured to its end, voided ones included: whether voiding decides what comes
   * out.
   */
  everyTry: { tries: number; metrics: Record<string, SummaryValue> };
  metrics: Record<string, SummaryValue>;
  /** The applications beside the subject, in the order of the condition, with those quantities that any trial has. */
  others: { name: string; metrics: Record<string, SummaryValue> }[];
  /** Null where a trial counts, or where no try can be shown. */
  disturbed: DisturbedTry | null;
  /** Trials far from the others; they count all the same. */
  outliers: Outlier[];
};

/** Whether what a condition changes can be chance (core/stats/signed-rank.ts). */
export type PairedTest = {
  /** Pairs of trials, and those whose two values differ. */
  pairs: number;
  changed: number;
  /** Hodges-Lehmann estimate of condition minus baseline. */
  shift: SummaryValue;
  /** Matched-pairs rank-biserial correlation, -1 to 1: how much the pairs point one way. Null without a pair. */
  effect: number | null;
  /** Wilcoxon's signed-rank test, exact, two-sided. */
  p: number | null;
  /**
   * The same corrected for all tests of its family that can find something (Benjamini and Hochberg): those of the
   * headline, or the others (headline.ts).
   */
  correctedP: number | null;
  /** How many those are. */
  among: number;
  /**
   * The smallest true shift that such pairs would have shown among so many tests in 95 of 100 studies, had it been the
   * only one; null where no shift, however large.
   */
  smallestShown: number | null;
  /** The smallest p that so many differing pairs can give. */
  leastP: number | null;
};

/** A condition against its baseline, trial by trial: the pairs are the trials of one repeat that ran on one machine. */
export type Comparison = {
  condition: string;
  baseline: string;
  /** Repeats of which both trials count and ran on two machines: they are no pairs. */
  apart: number;
  /** Condition minus baseline. */
  difference: Record<string, SummaryValue>;
  /** Condition divided by baseline; without value where a baseline trial has 0. */
  factor: Record<string, SummaryValue>;
  /**
   * Part of the baseline's performance that is lost, of quantities with a better side; without value where that divides
   * by 0 in a trial.
   */
  harm: Record<string, SummaryValue>;
  /** Of quantities with a better side. */
  tests: Record<string, PairedTest>;
};

/** What several machines gave. */
export type MachineSummary = {
  /** With the trials that count. */
  machines: { name: string; trials: number }[];
  conditions: {
    id: string;
    /** That count, by machine. */
    trials: Record<string, number>;
    /** Of the headline, by quantity. `medians`: of each machine that has a value. */
    spread: Record<string, Spread & { medians: Record<string, SummaryValue> }>;
  }[];
  /** Conditions of which at least half of the trials ran on other machines than those of their baseline. */
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
  /** Null where all trials that count ran on one machine. */
  machines: MachineSummary | null;
};
