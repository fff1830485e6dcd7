/**
 * Port of planners. A planner decides from the results so far which trial comes next. The same results always give the
 * same trial, so a study that was killed continues as if it had not been interrupted. The code that runs trials
 * (harness/trial) does not depend on how trials are chosen, and planners do not depend on how trials are run.
 */
import type { HopSpan } from '../../../core/vocabulary/link.ts';
import type { Measure } from '../../../core/vocabulary/measure.ts';
import type { Condition } from '../../definition/conditions.ts';
import type { Trial, TrialTimes } from '../../definition/trial.ts';
import type { TrialFile } from '../../record/trial-file.ts';

/** A trial that shall be run. */
export type Planned = {
  trial: Trial;
  condition: Condition;
  times: TrialTimes;
  /**
   * Number of the pair of hosts that each application uses, from 0, in the order of the applications of the condition.
   */
  places: number[];
  /**
   * Numbers of the pairs of hosts whose client hosts the further clients of each application use. Missing if no
   * application has several clients.
   */
  furtherPlaces?: number[][];
  /** Thresholds (such as the stall duration) for live output. If missing, the default thresholds are used. */
  measure?: Measure;
};

export interface Planner {
  readonly study: string;
  /** Returns the next trial. Undefined if no trial is left, or if the choice depends on a running trial. */
  next(): Planned | undefined;
  /**
   * Processes the result of a trial that `next` returned. The trial's folder must be in its final place. Returns true
   * if the trial shall be run again; then `next` returns it again.
   */
  take(planned: Planned, file: TrialFile): boolean | Promise<boolean>;
  /**
   * Called for a trial that could not begin because a service cannot be prepared, or whose record is too large to be
   * sent. Returns false if the study cannot continue without this trial.
   */
  refuse(planned: Planned, reason: string): boolean;
  /**
   * Number of trials without a result, including running ones. If the length of the study depends on results, the
   * number of items that still need trials.
   */
  readonly left: number;
  /** True if results may request more trials than `left`. Then all possible lanes are used. */
  readonly mayGrow?: boolean;
  /** Largest number of pairs of hosts that a trial needs. */
  readonly places: number;
  /** Largest number of bottlenecks in a row of its links. Missing: 1. */
  readonly hops?: number;
  /** Bottlenecks between the hosts of each pair; null: all. Missing: all, for every pair. */
  readonly spans?: readonly (HopSpan | null)[];
}
