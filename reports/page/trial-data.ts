/** Data of the trials in a page, as lines of JSON: first the data that the trials share, then a line for each trial. */

/** First line of the data. */
export type SharedData = {
  /** Titles of the metrics, in the order in which each trial has its values. */
  metrics: string[];
  /** Readings of a link before its first trial: quantity, requested value, measured value, verdict. */
  readings: [title: string, asked: string, measured: string, verdict: string][][];
};

/** Stretch of time, s from the start of the window. */
type Span = [fromS: number, toS: number, label: string];

export type TrialData = {
  name: string;
  title: string;
  /** CSS class of the verdict. */
  status: 'valid' | 'degraded' | 'invalid';
  verdict: string;
  /** Reasons why the trial is void or disturbed. */
  reasons: string[];
  facts: [name: string, value: string][];
  phases: Span[];
  stalls: Span[];
  /** Times at which the link stood still. */
  stops: Span[];
  /** Formatted values. Null for a trial that does not count. */
  metrics: string[] | null;
  /** Index in `readings`. Null if the link was not tested. */
  readings: number | null;
  /** Series in bins. Series without a value are left out. */
  binned: { startS: number; binS: number; values: Partial<Record<string, (number | null)[]>> } | null;
};
