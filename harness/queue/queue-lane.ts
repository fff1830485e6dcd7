/** Lane whose trials are run by workers. A study uses it like any other lane, and may have many such lanes. */

import { neverBegun, trialNeverBegun } from '../record/never-begun.ts';
import type { RunFolder } from '../record/run-folder.ts';
import type { TrialFile } from '../record/trial-file.ts';
import type { Planned } from '../studies/planner/planner.ts';
import type { PlannerSide } from './planner-side.ts';

/** Returns the record of a trial that no worker finished. */
function lostTrial(study: string, { trial, condition }: Planned, attempt: number, message: string): TrialFile {
  return trialNeverBegun(
    { study, trial, condition, attempt },
    condition.applications.map(({ name }) => neverBegun(name, { server: '', client: '' })),
    [{ kind: 'failure', status: 'invalid', message }],
  );
}

export class QueueLane {
  readonly #side: PlannerSide;
  readonly #study: string;
  readonly #folder: Pick<RunFolder, 'begin' | 'commit' | 'discard'>;

  constructor(side: PlannerSide, study: string, folder: Pick<RunFolder, 'begin' | 'commit' | 'discard'>) {
    this.#side = side;
    this.#study = study;
    this.#folder = folder;
  }

  /**
   * Runs one try of a trial on the machine of any worker. When the promise resolves, the folder of the record is in the
   * run folder. `signal`: aborted when the study ends, also because another lane failed.
   */
  async run(planned: Planned, attempt: number, { signal }: { signal: AbortSignal }): Promise<TrialFile> {
    let directory: string | undefined;
    const begin = () => (directory = this.#folder.begin(planned.trial.id));
    try {
      const came = await this.#side.run(planned, attempt, begin, signal);
      const file = 'lost' in came ? lostTrial(this.#study, planned, attempt, came.lost) : came.file;
      this.#folder.commit('lost' in came ? begin() : came.directory, file);
      directory = undefined;
      await this.#side.done(planned, attempt);
      return file;
    } finally {
      if (directory !== undefined) this.#folder.discard(directory);
    }
  }

  async close(): Promise<void> {
    // workers open and end their lanes themselves
  }
}
