/** What the page has of each trial, a line of JSON each; the first line is what they share. */

/** The first line. */
export type SharedData = {
  /** Titles of the metrics, in the order in which each trial has its values. */
  metrics: string[];
  /** What was read of a link before its first trial: what, asked, measured, verdict. */
  readings: [title: string, asked: string, measured: string, verdict: string][][];
};

/** A stretch of time, s from the window's start. */
type Span = [fromS: number, toS: number, label: string];

export type TrialData = {
  name: string;
  title: string;
  /** Class of the verdict. */
  status: 'valid' | 'degraded' | 'invalid';
  verdict: string;
  /** Why it is void or disturbed. */
  reasons: string[];
  facts: [name: string, value: string][];
  phases: Span[];
  stalls: Span[];
  /** When the link stood still. */
  stops: Span[];
  /** As they are written; null for a trial that does not count. */
  metrics: string[] | null;
  /** Place in `readings`; null where the link was not proved. */
  readings: number | null;
  /** Series in bins; a series without a value is not there. */
  binned: { startS: number; binS: number; values: Partial<Record<string, (number | null)[]>> } | null;
};
