/** A whole pairwise study: trial after trial, as the scheduler says, on as many lanes as there may be, until every pair is done. */
import { availableParallelism } from 'node:os';
import { CoexistError, exitStatus, messageOf } from '../../../core/errors.ts';
import type { BackendId } from '../../../core/link.ts';
import { pick } from '../../../core/plugins.ts';
import { admit, laneCores } from '../../runner/cores.ts';
import type { RunnerRegistries } from '../../runner/registries.ts';
import type { LiveValues } from '../../services/service.ts';
import { probeCapabilities } from '../../../shaper/backend/capabilities.ts';
import type { Capabilities } from '../../../shaper/backend/capabilities.ts';
import { aqmsOf, chooseBackend } from '../../../shaper/backend/choose.ts';
import { Attempts } from '../attempts.ts';
import type { Lost } from '../attempts.ts';
import type { Cell, PairsPlan } from '../plan.ts';
import { throughputBps } from '../record.ts';
import type { PairTrial, PairTrialFile } from '../record.ts';
import { Scheduler } from '../scheduler.ts';
import type { CellResults } from '../scheduler.ts';
import { PairLane } from './lane.ts';
import { checkOutside } from './outside.ts';
import type { LaneOptions, PairsFolder } from './lane.ts';

/** What a study tells while it runs. */
export type PairsProgress = {
  /** `open`: cells that are not done, this one included. */
  onTrialStart(trial: PairTrial, attempt: number, open: number): void;
  onPreflight(trial: PairTrial): void;
  onLive(trial: PairTrial, values: LiveValues[], elapsedMs: number): void;
  onTrialEnd(file: PairTrialFile): void;
  /** A cell that cannot be measured. */
  onGivenUp(cell: Cell, reason: string): void;
};

export type Lane = Pick<PairLane, 'run' | 'close'>;

export type PairsOptions = LaneOptions & {
  progress: PairsProgress;
  /** Makes a lane; PairLane.open where not said. */
  openLane?: (options: LaneOptions, can: Capabilities, cores: ReturnType<typeof laneCores>) => Promise<Lane>;
};

/** Lanes that a study has on this machine. */
export function lanesOf(plan: PairsPlan): number {
  return plan.run.parallel === 0 ? Math.max(1, Math.floor(availableParallelism() / 2)) : plan.run.parallel;
}

/** Throws where this machine cannot run the plan: root, cores, links, services. Nothing is started. */
export async function checkPairs(plan: PairsPlan, registries: RunnerRegistries, headed: boolean): Promise<void> {
  if (process.getuid?.() !== 0) {
    throw new CoexistError('no-root', 'pairwise tests need root, to make network namespaces and to set the link', {
      hint: 'run them with sudo, or as root in a container that has CAP_NET_ADMIN and CAP_SYS_ADMIN',
    });
  }
  const { services, aqms } = registries;
  admit(lanesOf(plan), availableParallelism());
  const can = probeCapabilities();
  const backends: BackendId[] = [];
  for (const { link } of plan.links) backends.push(await chooseBackend(link, aqmsOf(link, aqms), can));
  for (const contestant of plan.contestants) {
    const { name, service: { id, params } } = contestant;
    try {
      await pick(services, id, 'service').check(params as never, headed);
      await checkOutside(contestant, registries, backends, plan.run);
    } catch (error) {
      if (!(error instanceof CoexistError)) throw error;
      throw new CoexistError(error.code, `service ${name}: ${error.message}`, error.hint === undefined ? {} : { hint: error.hint });
    }
  }
}

/** Valid trials that a folder holds, by cell. */
export function resultsOf(folder: PairsFolder): Map<string, CellResults> {
  const results = new Map<string, CellResults>();
  for (const name of folder.trialNames()) addResult(results, folder.trialFile(name));
  return results;
}

function addResult(results: Map<string, CellResults>, { trial, phases, sides }: PairTrialFile): void {
  if (phases === null) return;
  const throughput = sides.map(side => throughputBps(side, phases) ?? 0);
  results.set(trial.cell, [...results.get(trial.cell) ?? [], { round: trial.round, throughputBps: throughput }]);
}

class PairsStudy {
  readonly #options: PairsOptions;
  readonly #signal: AbortSignal;
  readonly #scheduler: Scheduler;
  readonly #results: Map<string, CellResults>;
  readonly #running = new Set<string>();
  readonly #attempts: Attempts;
  #changed = Promise.withResolvers<void>();

  constructor(options: PairsOptions, signal: AbortSignal) {
    this.#options = options;
    this.#signal = signal;
    this.#scheduler = new Scheduler(options.plan);
    this.#attempts = new Attempts(options.plan);
    this.#results = resultsOf(options.folder);
  }

  get givenUp(): ReadonlyMap<string, string> {
    return this.#attempts.givenUp;
  }

  get isDone(): boolean {
    return this.#scheduler.next(this.#results, this.#running, () => false) === undefined;
  }

  /** What one lane does until nothing is left to do. */
  async runLane(can: Capabilities, cores: ReturnType<typeof laneCores>): Promise<void> {
    const { openLane = PairLane.open } = this.#options;
    const lane = await openLane({ ...this.#options, signal: this.#signal }, can, cores);
    try {
      for (;;) {
        this.#signal.throwIfAborted();
        const trial = this.#scheduler.next(this.#results, this.#running, cell => this.givenUp.has(cell.id));
        if (trial !== undefined) await this.#run(lane, trial);
        else if (this.#running.size === 0) return;
        else await Promise.race([this.#changed.promise, aborted(this.#signal)]); // another lane's trial decides what comes next
      }
    } finally {
      await lane.close();
    }
  }

  async #run(lane: Lane, trial: PairTrial): Promise<void> {
    const { folder, plan, progress } = this.#options;
    const cell = plan.cells.find(({ id }) => id === trial.cell)!;
    const attempt = folder.nextAttempt(trial.id);
    this.#running.add(cell.id);
    try {
      progress.onTrialStart(trial, attempt, this.#scheduler.open(this.#results, ({ id }) => this.givenUp.has(id)).length);
      const file = await lane.run(cell, trial, attempt, {
        onPreflight: () => progress.onPreflight(trial), onLive: (values, elapsedMs) => progress.onLive(trial, values, elapsedMs),
      });
      this.#take(cell, file);
      progress.onTrialEnd(file);
    } catch (error) {
      if (!(error instanceof CoexistError) || error.exitStatus !== exitStatus.trialsFailed) throw error;
      this.#tell(this.#attempts.giveUp(cell, messageOf(error))); // a service that cannot even be made ready
    } finally {
      this.#running.delete(cell.id);
      this.#changed.resolve();
      this.#changed = Promise.withResolvers<void>();
    }
  }

  #take(cell: Cell, file: PairTrialFile): void {
    if (file.verdict.status !== 'invalid') addResult(this.#results, file);
    this.#tell(this.#attempts.take(cell, file.verdict));
  }

  #tell(lost: readonly Lost[]): void {
    for (const { cell, reason } of lost) this.#options.progress.onGivenUp(cell, reason);
  }
}

function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason), { once: true }));
}

/** Runs what is missing. Returns the cells that could not be measured, with the reason. */
export async function runPairs(options: PairsOptions): Promise<ReadonlyMap<string, string>> {
  const broken = new AbortController();
  const study = new PairsStudy(options, AbortSignal.any([options.signal, broken.signal]));
  if (study.isDone) return study.givenUp;
  const can = probeCapabilities();
  const lanes = lanesOf(options.plan);
  await Promise.allSettled(Array.from({ length: lanes }, (_, k) => study.runLane(can, laneCores(k, lanes, availableParallelism())).catch(error => {
    broken.abort(error); // what ends one lane ends the study
    throw error;
  })));
  options.signal.throwIfAborted();
  if (broken.signal.aborted) throw broken.signal.reason;
  return study.givenUp;
}
