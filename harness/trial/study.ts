/** Runs a whole study: all trials that its planner chooses, on one or more lanes. */
import { availableParallelism } from 'node:os';
import { CoexistError, exitStatus, messageOf } from '../../core/errors.ts';
import { Scope } from '../../core/system/scope.ts';
import { type Capabilities, probeCapabilities } from '../../shaper/backend/capabilities.ts';
import type { RunFolder } from '../record/run-folder.ts';
import type { TrialFile } from '../record/trial-file.ts';
import type { Planned, Planner } from '../studies/planner/planner.ts';
import { type LaneCores, laneCores } from './cores.ts';
import { Lane, type LaneOptions } from './lane.ts';
import type { LiveTrial } from './live-trial.ts';

/** Callbacks that observe a running study. */
export type Progress = {
  /**
   * Called when an attempt of a trial begins. `left`: number of trials without a result (or of open cells), including
   * this one.
   */
  onTrialStart(planned: Planned, attempt: number, left: number): void;
  /** Called when the proof of a link begins, which is before the first trial on the link. */
  onPreflight(planned: Planned): void;
  onLive(planned: Planned, values: LiveTrial): void;
  onTrialEnd(file: TrialFile, willRetry: boolean): void;
};

type OpenLane = Pick<Lane, 'run' | 'close'>;

export type StudyOptions = Omit<LaneOptions, 'study' | 'places' | 'folder'> & {
  planner: Planner;
  folder: LaneOptions['folder'] & Pick<RunFolder, 'nextAttempt'>;
  lanes: number;
  progress: Progress;
  signal: AbortSignal;
  /** Opens a lane; tests replace it. Default: `Lane.open`. */
  openLane?: (options: LaneOptions, can: Capabilities, cores: LaneCores | null) => Promise<OpenLane>;
};

class Study {
  readonly #options: StudyOptions;
  readonly #scope: Scope;
  #running = 0;
  #changed = Promise.withResolvers<void>();

  constructor(options: StudyOptions, scope: Scope) {
    this.#options = options;
    this.#scope = scope;
  }

  /** Opens a lane and runs trials on it until none is left. */
  async runLane(can: Capabilities, cores: LaneCores | null): Promise<void> {
    const { planner, progress: _, signal: _signal, openLane = Lane.open, ...rest } = this.#options;
    const { study, places, hops = 1, spans } = planner;
    const row = spans === undefined ? { hops } : { hops, spans };
    const lane = await openLane({ ...rest, study, places, ...row }, can, cores);
    try {
      for (;;) {
        this.#scope.signal.throwIfAborted();
        const planned = planner.next();
        if (planned !== undefined) await this.#run(lane, planned);
        else if (this.#running === 0) return;
        // the planner decides after the result of a trial on another lane
        else await this.#scope.race(this.#changed.promise);
      }
    } finally {
      await lane.close();
    }
  }

  async #run(lane: OpenLane, planned: Planned): Promise<void> {
    const { folder, planner, progress } = this.#options;
    this.#running++;
    try {
      const attempt = folder.nextAttempt(planned.trial.id);
      progress.onTrialStart(planned, attempt, planner.left);
      const file = await lane.run(planned, attempt, {
        signal: this.#scope.signal,
        onPreflight: () => progress.onPreflight(planned),
        onLive: values => progress.onLive(planned, values),
      });
      progress.onTrialEnd(file, await planner.take(planned, file));
    } catch (error) {
      const isTrials = error instanceof CoexistError && error.exitStatus === exitStatus.trialsFailed;
      if (!isTrials || !planner.refuse(planned, messageOf(error))) throw error;
    } finally {
      this.#running--;
      this.#changed.resolve();
      this.#changed = Promise.withResolvers<void>();
    }
  }
}

/** Runs the trials that have no result yet. The planner receives the results. */
export async function runStudy(options: StudyOptions): Promise<void> {
  const { planner } = options;
  if (planner.left === 0) return;
  const scope = new Scope({ signal: options.signal });
  const study = new Study(options, scope);
  const can = probeCapabilities();
  const lanes = planner.mayGrow === true ? options.lanes : Math.min(options.lanes, planner.left);
  await Promise.all(
    Array.from({ length: lanes }, (_, k) =>
      // an error of one lane ends the whole study
      study.runLane(can, laneCores(k, lanes, availableParallelism())).catch(error => scope.end(error)),
    ),
  );
  options.signal.throwIfAborted();
  scope.signal.throwIfAborted();
  scope.end();
}
