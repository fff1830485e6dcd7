/** Estimates over several trials, and the verdicts on what is claimed of them. */

/** Estimate of a quantity over several trials, with its interval. */
export type Estimate = {
  /** Median over the trials, in games their mean; null if no trial has a value. */
  value: number | null;
  /** Ends of the interval; null for too few trials. */
  low: number | null;
  high: number | null;
  /** Number of trials with a value. */
  n: number;
  /**
   * Coverage of the interval, 0 to 1; null without an interval. Medians of experiments have 0.95 or more with at least
   * six trials; with fewer trials their interval is the range of the values.
   */
  confidence: number | null;
};

/** Estimate of a quantity for which no trial has a value. */
export const noEstimate: Estimate = { value: null, low: null, high: null, n: 0, confidence: null };

/** Least coverage of an interval by which a claim is decided. */
export const leastConfidence = 0.95;

/** Verdict on a claim, or on one comparison of a claim. */
export type Judgement = 'right' | 'wrong' | 'undecided';
