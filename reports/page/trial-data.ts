/**
 * Types of the trial data in a page. The data are lines of JSON: first a line with data that all trials share, then one
 * line for each trial.
 */

/** First line: data that all trials share. */
export type SharedData = {
  /** Titles of the metrics, in the order of `metrics` of each trial. */
  metrics: string[];
  /** Results of each link test. A result consists of quantity, requested value, measured value and verdict. */
  readings: [title: string, asked: string, measured: string, verdict: string][][];
};

/** Period of a trial with a label. Times are in seconds from the start of the window. */
type Span = [fromS: number, toS: number, label: string];

export type TrialData = {
  name: string;
  title: string;
  /** CSS class for the verdict. */
  status: 'valid' | 'degraded' | 'invalid';
  verdict: string;
  /** Reasons for which the trial is void or disturbed. */
  reasons: string[];
  facts: [name: string, value: string][];
  phases: Span[];
  stalls: Span[];
  /** Periods in which the link stood still. */
  stops: Span[];
  /** Formatted values of the metrics. Null if the trial does not count. */
  metrics: string[] | null;
  /** Index of the link test in `readings` of the shared data. Null if the link was not tested. */
  readings: number | null;
  /** Series of the trial, as values per bin. Series without any value are left out. */
  binned: { startS: number; binS: number; values: Partial<Record<string, (number | null)[]>> } | null;
};
