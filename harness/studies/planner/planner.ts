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
  /** Which pair of hosts each application has, from 0, in the order of the condition. */
  places: number[];
  /** The pairs whose client hosts the further clients of each application have; missing where none has several. */
  furtherPlaces?: number[][];
  /** What the study chose of how it is measured, for those who look on; the defaults where not said. */
  measure?: Measure;
};

export interface Planner {
  /** Name of the study. */
  readonly study: string;
  /** The next trial; undefined where none is left, or those that are left wait for one that runs. */
  next(): Planned | undefined;
  /**
   * What became of a trial that was given out, whose folder is in its place. True where it is to be run again: then
   * `next` gives it out once more.
   */
  take(planned: Planned, file: TrialFile): boolean | Promise<boolean>;
  /**
   * A trial that could not even begin, by a service that cannot be made ready, or whose record is too large to be sent.
   * False where the study cannot go on without it.
   */
  refuse(planned: Planned, reason: string): boolean;
  /** Trials without a result, those that run included; of a study whose length depends on results, what is open. */
  readonly left: number;
  /** Whether results may ask for more trials than are left: then there are as many lanes as there may be. */
  readonly mayGrow?: boolean;
  /** Pairs of hosts that its trials need at most. */
  readonly places: number;
}
