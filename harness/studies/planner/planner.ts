/**
 * Decides which trial comes next, from the results so far. The same results always give the same trial, so a study that
 * was killed continues as if it had not been interrupted. The code that runs trials (harness/trial) is independent of
 * how they are chosen, and planners are independent of how trials are run.
 */
import type { Measure } from '../../../core/vocabulary/measure.ts';
import type { Condition } from '../../definition/conditions.ts';
import type { Trial, TrialTimes } from '../../definition/trial.ts';
import type { TrialFile } from '../../record/trial-file.ts';

/** A trial that is to be run. */
export type Planned = {
  trial: Trial;
  condition: Condition;
  times: TrialTimes;
  /** Index of the pair of hosts of each application, from 0, in the order of the condition. */
  places: number[];
  /**
   * Pairs whose client hosts are used by the further clients of each application. Missing if no application has several
   * clients.
   */
  furtherPlaces?: number[][];
  /** Thresholds of the study, for live output. Default: the default thresholds. */
  measure?: Measure;
};

export interface Planner {
  readonly study: string;
  /** Returns the next trial. Undefined if no trial is left, or if the remaining ones wait for a running trial. */
  next(): Planned | undefined;
  /**
   * Takes the result of a trial from `next`, whose folder is in its final place. Returns true if the trial is to be run
   * again; `next` then returns it once more.
   */
  take(planned: Planned, file: TrialFile): boolean | Promise<boolean>;
  /**
   * Takes a trial that could not begin because a service cannot be prepared, or whose record is too large to be sent.
   * Returns false if the study cannot continue without it.
   */
  refuse(planned: Planned, reason: string): boolean;
  /**
   * Number of trials without a result, including running ones. If the length of the study depends on results, the
   * number of open items.
   */
  readonly left: number;
  /** True if results may request more trials than are left. Then all possible lanes are used. */
  readonly mayGrow?: boolean;
  /** Largest number of pairs of hosts that its trials need. */
  readonly places: number;
}
