/**
 * The run folder: plan.json, a folder for each trial, summary and report.
 *
 * A trial is written to a temporary folder. When the trial is complete and its files are synced to the disk, the folder
 * gets the name of the trial. So a folder with a trial's name holds a complete trial. The folder of a void try gets the
 * trial's name with ".voidN".
 */
import { closeSync, existsSync, fsyncSync, lstatSync, openSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { CoexistError, writeError } from '../../core/errors.ts';
import { makeFolder } from '../../core/system/folders.ts';
import { giveMade } from '../../core/system/ownership.ts';
import { type ProcessId, processIdOf, stateOf } from '../../core/system/process-id.ts';
import { writeWhole } from '../../core/system/whole-file.ts';
import type { Measure } from '../../core/vocabulary/measure.ts';
import { experimentFormat, type Plan } from '../definition/plan.ts';
import { checkedTrialFile, fillFrameRates } from './checked-trial.ts';
import { readJson } from './json-file.ts';
import { checkExperimentPlan, checkPlanFile } from './plan-schema.ts';
import type { Software } from './software.ts';
import { ofThisFormat } from './this-format.ts';
import type { TrialFile } from './trial-file.ts';
import { checkedTrialName, trialFileName } from './trial-name.ts';
import { TrialRecord } from './trial-record.ts';
import type { Versions } from './versions.ts';
import { readVoiceScores, type VoiceScores } from './voice-scores.ts';

/**
 * Content of plan.json. `files`: SHA-256 of each file that the plan names, by path; missing in folders of older
 * versions.
 */
export type PlanFile<P = Plan> = {
  plan: P;
  versions: Versions;
  files?: Software['files'];
  hosts?: Software['hosts'];
  createdMs: number;
};

/** Parts of the plan that tables and metrics use. */
export type MeasuredPlan = Pick<Plan, 'study' | 'title' | 'conditions' | 'measure' | 'primary'> & {
  run: Pick<Plan['run'], 'windowMs'>;
};

/**
 * Methods of a run folder that read trials. Other types can implement them, so that readers do not depend on the
 * storage.
 */
export type RunRecords<P = MeasuredPlan> = Pick<RunFolder<P>, 'planFile' | 'trialNames' | 'record'>;

/** Prefix of the temporary folder of a trial that is not complete. */
const partial = '.partial-';

function syncPath(path: string): void {
  const file = openSync(path, 'r');
  try {
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}

/** Folder of one run. `P`: type of the plan in plan.json. */
export class RunFolder<P = Plan> {
  readonly path: string;
  readonly #format: unknown;

  private constructor(path: string, format: unknown) {
    this.path = path;
    this.#format = format;
  }

  /** Creates a run folder with its plan.json. Throws `usage` if `path` exists and is not empty. */
  static create<P extends { format: unknown } = Plan>(path: string, file: PlanFile<P>): RunFolder<P> {
    const folder = new RunFolder<P>(resolve(path), file.plan.format);
    try {
      if (existsSync(folder.path) && readdirSync(folder.path).length > 0) {
        throw new CoexistError('usage', `the folder ${path} is not empty`, {
          hint: 'choose another with --out, or go on with it by --resume',
        });
      }
      makeFolder(folder.#trials);
    } catch (error) {
      throw writeError(error, path);
    }
    writeWhole(folder.file('plan.json'), `${JSON.stringify(file, null, 1)}\n`);
    folder.#takeOwnership();
    return folder;
  }

  /** Opens a run folder to continue its study. Removes the temporary folders that an interrupted run left behind. */
  static resume<P = Plan>(path: string, format: unknown = experimentFormat): RunFolder<P> {
    const folder = RunFolder.open<P>(path, format);
    folder.#takeOwnership();
    // only folders with this prefix are removed: under sudo the user may replace the folder by a link to one of root's
    for (const name of readdirSync(folder.#trials)) {
      if (name.startsWith(partial)) rmSync(join(folder.#trials, name), { recursive: true, force: true });
    }
    return folder;
  }

  /** Opens a run folder for reading. */
  static open<P = Plan>(path: string, format: unknown = experimentFormat): RunFolder<P> {
    const folder = new RunFolder<P>(resolve(path), format);
    if (!existsSync(folder.file('plan.json')) || !existsSync(folder.#trials)) {
      throw new CoexistError('bad-run-folder', `${path} is not the folder of a run`, {
        hint: 'give the folder that holds plan.json and trials/',
      });
    }
    // a link is refused, because a continued study removes files in this folder
    if (!lstatSync(folder.#trials).isDirectory()) {
      throw new CoexistError('bad-run-folder', `${folder.#trials} is not a folder of its own but a link or a file`, {
        hint: 'put the folder that it leads to in its place',
      });
    }
    return folder;
  }

  get #trials(): string {
    return join(this.path, 'trials');
  }

  file(name: string): string {
    return join(this.path, name);
  }

  planFile(): PlanFile<P> {
    const path = this.file('plan.json');
    const file = readJson<PlanFile<P> | null>(path);
    const checked = ofThisFormat(file, (file?.plan as { format?: unknown } | undefined)?.format, this.#format, path);
    checkPlanFile(checked, path);
    if (this.#format === experimentFormat) {
      checkExperimentPlan(checked.plan, path);
      for (const condition of (checked.plan as unknown as Plan).conditions) fillFrameRates(condition);
    }
    return checked;
  }

  writeText(name: string, text: string): void {
    writeWhole(this.file(name), text);
  }

  /** Returns the scores of the voices; null if they were not scored. */
  voiceScores(): VoiceScores | null {
    return readVoiceScores(this.path);
  }

  /** Returns the names of the folders of complete trials, sorted. `voided`: true to include those of void tries. */
  trialNames({ voided = false } = {}): string[] {
    const folders = readdirSync(this.#trials, { withFileTypes: true })
      .filter(entry => entry.isDirectory())
      .map(({ name }) => name); // without links, because they lead to other places
    return folders.filter(name => !name.startsWith('.') && (voided || !name.includes('.void'))).sort();
  }

  trialFolder(name: string): string {
    return join(this.#trials, checkedTrialName(name));
  }

  /**
   * Returns the record of a trial. `measure`: thresholds of its study; without it, the default thresholds apply. Each
   * call returns a new record, which reads the files again.
   */
  record(name: string, measure?: Measure): TrialRecord {
    return new TrialRecord(this.trialFile(name), this.trialFolder(name), measure);
  }

  trialFile(name: string): TrialFile {
    const path = join(this.trialFolder(name), trialFileName);
    return checkedTrialFile(readJson(path), path);
  }

  /** Returns the number that the next try of a trial has, from 1. */
  nextAttempt(id: string): number {
    const prefix = `${id}.void`;
    const numbers = this.trialNames({ voided: true }).flatMap(name =>
      name.startsWith(prefix) ? [Number(name.slice(prefix.length))] : [],
    );
    return Math.max(0, ...numbers.filter(Number.isInteger)) + 1;
  }

  /** Creates the temporary folder of a trial and returns its path. */
  begin(id: string): string {
    const folder = join(this.#trials, `${partial}${checkedTrialName(id)}`);
    try {
      rmSync(folder, { recursive: true, force: true });
      makeFolder(folder);
    } catch (error) {
      throw writeError(error, folder);
    }
    return folder;
  }

  /**
   * Writes trial.json into the temporary folder of a finished trial, and renames the folder to its final name. Returns
   * that name.
   */
  commit(folder: string, file: TrialFile): string {
    const id = checkedTrialName(file.trial.id);
    const name = file.verdict.status === 'invalid' ? `${id}.void${file.attempt}` : id;
    try {
      writeWhole(join(folder, trialFileName), `${JSON.stringify(file, null, 1)}\n`, { isFlushed: false });
      for (const entry of readdirSync(folder, { recursive: true, encoding: 'utf8' })) syncPath(join(folder, entry));
      syncPath(folder);
      giveMade(folder);
      renameSync(folder, join(this.#trials, name));
      syncPath(this.#trials);
    } catch (error) {
      throw writeError(error, folder);
    }
    return name;
  }

  /** Removes the temporary folder of a trial that was given up. */
  discard(folder: string): void {
    rmSync(folder, { recursive: true, force: true });
  }

  release(): void {
    rmSync(this.file('.owner'), { force: true });
  }

  /** Records that this process writes to the run folder. Throws `usage` if another process does. */
  #takeOwnership(): void {
    const file = this.file('.owner');
    if (existsSync(file)) {
      const owner = readJson<ProcessId>(file);
      const state = stateOf(owner);
      if (state === 'elsewhere') {
        throw new CoexistError(
          'usage',
          `process ${owner.pid} of another container or PID namespace writes to ${this.path}`,
          {
            hint: `wait for it to end; if it has ended, remove ${file}`,
          },
        );
      }
      if (state === 'alive' && owner.pid !== process.pid) {
        throw new CoexistError('usage', `another run (process ${owner.pid}) is writing to ${this.path}`, {
          hint: 'wait for it to end, or choose another folder with --out',
        });
      }
    }
    writeWhole(file, JSON.stringify(processIdOf()));
  }
}
