/** Types of summary.json of a conformance study. */
import type { Estimate } from '../../../core/vocabulary/estimate.ts';
import type { Judged } from '../../analysis/gate/gate.ts';
import type { Summary } from '../../analysis/summary/summary.ts';
import type { Verdict } from './analysis/verdict.ts';
import type { Expectation } from './expectation.ts';
import type { Cell, PlannedCase } from './plan.ts';

/** Expectation with what was measured. */
export type JudgedExpectation = Expectation & {
  /** Median over the valid trials, with its interval. */
  estimate: Estimate;
  /** Number of trials whose value keeps the bounds. */
  kept: number;
  verdict: Verdict;
  /** Value in virtual time; null if it has none. */
  virtual: number | null;
};

/** Outcome of a case in virtual time: its verdict from one run, or the reason why it was not run there. */
export type VirtualOutcome = { verdict: Verdict; notRun: null } | { verdict: null; notRun: string };

/** A case with a sender. */
export type CellSummary = Cell & {
  trials: number;
  voided: number;
  /** Null if the sender does not run the case, or if it has no valid trial. */
  verdict: Verdict | null;
  expectations: JudgedExpectation[];
  /** Expectations for which no trial has a value, such as those on a voice of a sender without one. */
  without: string[];
  /** Null for a cell without a condition. */
  virtual: VirtualOutcome | null;
};

/**
 * Content of summary.json: the summary of an experiment, whose quantities are the metrics and the measures, with the
 * verdicts.
 */
export type ConformanceSummary = Summary &
  Judged & {
    confidence: number;
    senders: { name: string; title: string }[];
    cases: Pick<PlannedCase, 'id' | 'title' | 'source' | 'differs' | 'notRun' | 'withoutEcn'>[];
    cells: CellSummary[];
  };
