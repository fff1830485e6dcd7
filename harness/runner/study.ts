/** A whole study: trial after trial as its planner says, on as many lanes as there may be, until nothing is left. */
import { availableParallelism } from 'node:os';
import { CoexistError, exitStatus, messageOf } from '../../core/errors.ts';
import { type Capabilities, probeCapabilities } from '../../shaper/backend/capabilities.ts';
import type { Planned, Planner } from '../planner/planner.ts';
import type { RunFolder } from '../record/run-folder.ts';
import type { TrialFile } from '../record/trial-file.ts';
import { type LaneCores, laneCores } from './cores.ts';
import { Lane, type LaneOptions } from './lane.ts';
import type { LiveTrial } from './live-trial.ts';

/** What a study tells while it runs. */
export type Progress = {
  /** `left`: trials without a result, or cells that are open, this one included. */
  onTrialStart(planned: Planned, attempt: number, left: number): void;
  /** The link is being proved before the first trial on it. */
  onPreflight(planned: Planned): void;
  onLive(planned: Planned, values: LiveTrial): void;
  onTrialEnd(file: TrialFile, willRetry: boolean): void;
};

type OpenLane = Pick<Lane, 'run' | 'close'>;

export type StudyOptions = Omit<LaneOptions, 'study' | 'places' | 'folder'> & {
  planner: Planner;
  folder: LaneOptions['folder'] & Pick<RunFolder, 'nextAttempt'>;
  /** Lanes at once. */
  lanes: number;
  progress: Progress;
  /** Makes a lane; Lane.open where not said. */
  openLane?: (options: LaneOptions, can: Capabilities, cores: LaneCores | null) => Promise<OpenLane>;
};

class Study {
  readonly #options: StudyOptions;
  readonly #signal: AbortSignal;
  #running = 0;
  #changed = Promise.withResolvers<void>();

  constructor(options: StudyOptions, signal: AbortSignal) {
    this.#options = options;
    this.#signal = signal;
  }

  /** What one lane does until nothing is left to do. */
  async runLane(can: Capabilities, cores: LaneCores | null): Promise<void> {
    const { planner, progress: _, openLane = Lane.open, ...rest } = this.#options;
    const lane = await openLane(
      { ...rest, study: planner.study, places: planner.places, signal: this.#signal },
      can,
      cores,
    );
    try {
      for (;;) {
        this.#signal.throwIfAborted();
        const planned = planner.next();
        if (planned !== undefined) await this.#run(lane, planned);
        else if (this.#running === 0) return;
        // another lane's trial decides what comes next
        else await Promise.race([this.#changed.promise, aborted(this.#signal)]);
      }
    } finally {
      await lane.close();
    }
  }

  /** One try of a trial. */
  async #run(lane: OpenLane, planned: Planned): Promise<void> {
    const { folder, planner, progress } = this.#options;
    this.#running++;
    try {
      const attempt = folder.nextAttempt(planned.trial.id);
      progress.onTrialStart(planned, attempt, planner.left);
      const file = await lane.run(planned, attempt, {
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

function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason), { once: true }));
}

/** Runs what is missing. What came of it is the planner's to tell. */
export async function runStudy(options: StudyOptions): Promise<void> {
  const { planner } = options;
  if (planner.left === 0) return;
  const broken = new AbortController();
  const study = new Study(options, AbortSignal.any([options.signal, broken.signal]));
  const can = probeCapabilities();
  const lanes = planner.mayGrow === true ? options.lanes : Math.min(options.lanes, planner.left);
  const ends = await Promise.allSettled(
    Array.from({ length: lanes }, (_, k) =>
      study.runLane(can, laneCores(k, lanes, availableParallelism())).catch(error => {
        broken.abort(error); // what ends one lane ends the study
        throw error;
      }),
    ),
  );
  options.signal.throwIfAborted();
  if (broken.signal.aborted) throw broken.signal.reason;
  if (ends.some(end => end.status === 'rejected')) throw new Error('a lane ended without a reason');
}
