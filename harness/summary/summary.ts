/** summary.json: every metric of every trial and condition, with n and interval, and the comparisons with the baseline. */
import type { Quantity } from '../metrics/metric.ts';
import type { Verdict } from '../record/trial-file.ts';

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
  verdict: Verdict;
  /** What the flood really was, or null. */
  flood: string | null;
  /** Null for trials that do not count. */
  metrics: Record<string, number | null> | null;
  /** Metrics that could not be computed, and why. */
  problems: string[];
};

export type ConditionSummary = {
  id: string;
  title: string;
  baseline: string;
  /** Trials that count. */
  trials: number;
  voided: number;
  metrics: Record<string, SummaryValue>;
};

/** A condition against its baseline, trial by trial: the pairs are the trials of one repeat. */
export type Comparison = {
  condition: string;
  baseline: string;
  /** Condition minus baseline. */
  difference: Record<string, SummaryValue>;
  /** Condition divided by baseline; without value where a baseline trial has 0. */
  factor: Record<string, SummaryValue>;
};

export type Summary = {
  format: 1;
  study: string;
  title: string;
  quantities: Quantity[];
  trials: TrialSummary[];
  conditions: ConditionSummary[];
  comparisons: Comparison[];
};
