/** Runs a worker's trials on this machine in one lane. The lane stays open for successive trials of the same run. */
import { availableParallelism } from 'node:os';
import { CoexistError } from '../../../core/errors.ts';
import { probeCapabilities } from '../../../shaper/backend/capabilities.ts';
import { hashesOf } from '../../record/software.ts';
import type { TrialFile } from '../../record/trial-file.ts';
import type { Versions } from '../../record/versions.ts';
import { laneCores } from '../../trial/cores.ts';
import { Lane, type LaneOptions } from '../../trial/lane.ts';
import type { RunnerRegistries } from '../../trial/registries.ts';
import type { NoiseFloor } from '../noise-floor.ts';
import type { RunOrder, TrialOrder } from '../order.ts';
import type { Carrier } from '../worker.ts';
import { Spool } from './spool.ts';

type CarrierOptions = {
  machine: string;
  versions: Versions;
  registries: RunnerRegistries;
  /**
   * Throws if this machine cannot run the plan of a study of kind `kind`, one trial at a time. The check may open the
   * plan's files and run its scripts. The check is therefore called only after the hashes of these files have been
   * compared with the planner's hashes.
   */
  check(kind: string, plan: unknown): Promise<void>;
  /** Folder for records that have not been sent yet. */
  spool: string;
  measureFloor(signal: AbortSignal): Promise<NoiseFloor>;
  openLane?: (options: LaneOptions) => Promise<Pick<Lane, 'run' | 'close'>>;
};

const openLane = (options: LaneOptions) =>
  Lane.open(options, probeCapabilities(), laneCores(0, 1, availableParallelism()));

export class TrialCarrier implements Carrier {
  readonly #options: CarrierOptions;
  readonly #spool: Spool;
  #open: { run: string; lane: Pick<Lane, 'run' | 'close'> } | undefined;

  constructor(options: CarrierOptions) {
    this.#options = options;
    this.#spool = new Spool(options.spool);
  }

  noiseFloor(signal: AbortSignal): Promise<NoiseFloor> {
    return this.#options.measureFloor(signal);
  }

  async refusal({ kind, plan, files }: RunOrder): Promise<string | null> {
    try {
      const here = hashesOf(Object.keys(files));
      const other = Object.keys(files).find(path => here[path] !== files[path]);
      if (other !== undefined)
        return `${other} differs from the planner's file: copy that to the worker's machine and restart the worker`;
      await this.#options.check(kind, plan);
      return null;
    } catch (error) {
      if (error instanceof CoexistError) return error.message;
      throw error;
    }
  }

  async run(
    run: RunOrder,
    { planned, attempt }: TrialOrder,
    signal: AbortSignal,
  ): Promise<{ file: TrialFile; directory: string }> {
    let directory: string | undefined;
    try {
      const { lane } = await this.#laneOf(run);
      const file = await lane.run(planned, attempt, { signal, onPreflight: () => {}, onLive: () => {} });
      directory = this.#written;
      this.#written = undefined;
      return { file, directory: directory! };
    } catch (error) {
      await this.rest(); // after any error the next trial gets a new lane
      throw error;
    }
  }

  /** Folder of the record that was written last. */
  #written: string | undefined;

  async #laneOf({
    run,
    files,
    lane: { study, places, hops = 1, spans, priority, preflight, keep, privateNetworks },
  }: RunOrder) {
    if (this.#open?.run === run) return this.#open;
    await this.rest();
    const folder = {
      begin: (id: string) => this.#spool.begin(id),
      commit: (directory: string) => (this.#written = this.#spool.commit(directory)),
      discard: (directory: string) => this.#spool.discard(directory),
    };
    const { machine, registries, versions, openLane: open = openLane } = this.#options;
    const lane = await open({
      study,
      places,
      hops,
      ...(spans === undefined ? {} : { spans }),
      priority,
      preflight,
      keep,
      privateNetworks,
      folder,
      registries,
      software: { versions, files },
      machine,
      headed: false,
    });
    return (this.#open = { run, lane });
  }

  drop(directory: string): void {
    this.#spool.discard(directory);
  }

  /** Closes the lane, because there are no trials to run. */
  async rest(): Promise<void> {
    const open = this.#open;
    this.#open = undefined;
    await open?.lane.close();
  }

  async close(): Promise<void> {
    await this.rest();
    this.#spool.remove();
  }
}
