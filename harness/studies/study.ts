/**
 * The port of the kinds of study: an experiment, services in pairs, a game. A kind turns a definition into a plan, says
 * which trial comes next, and makes summary and report of the record. The command line, the runner, the queue of
 * workers and the run folder are the same for all of them.
 */
import type { ParseArgsConfig } from 'node:util';
import type { Plugin } from '../../core/plugins.ts';
import type { Figure } from '../../reports/results/figures.ts';
import type { Chosen } from '../definition/applications.ts';
import type { LoadedStudy } from '../definition/load.ts';
import type { RunFolder, RunRecords } from '../record/run-folder.ts';
import type { Software } from '../record/software.ts';
import type { RunnerRegistries } from '../trial/registries.ts';
import type { StudyOptions } from '../trial/study.ts';
import type { Planner } from './planner/planner.ts';

/** Parts of a plan that every kind has. */
export type StudyPlan = {
  format: unknown;
  title: string;
  /** Name of the definition; missing where the plan does not keep it. */
  study?: string;
  run: { parallel: number; priority: boolean; preflight: boolean; privateNetworks?: boolean };
};

/** Values of the command line. A kind reads its own options from here. */
export type OptionValues = Readonly<Record<string, string | boolean | string[] | undefined>>;

/** Demands of a study on this machine. */
export type StudyNeeds = {
  /** True if trials take precedence over other programs. */
  precedence: boolean;
  /** Cores that the trials at one time keep busy. */
  cores: number;
  /** Words of the command line that make it need at most `most` cores; undefined where none is known. */
  mend(most: number): string | undefined;
};

/** Paths of summary and report in a run folder, and the summary itself. */
export type Written = { summary: object; summaryPath: string; reportPath: string };

/** Result of a run. */
export type Finished = Written & {
  /** Said on the terminal, a line each. */
  lines: string[];
  /** Trials without a result, in a sentence; null where everything has one. */
  missing: string | null;
  /** Help for trials that another try would not mend; `all`: none of the missing ones is mended by another try. */
  advice?: { words: readonly string[]; all: boolean };
  /** Throws a threshold that the summary misses. */
  refuse?: () => void;
};

/** A run that is about to begin. */
export type Running = {
  planner: Planner;
  progress: StudyOptions['progress'] & { say(text: string): void };
  /** Said before the first trial. */
  begins: string;
  finish(signal: AbortSignal): Promise<Finished>;
};

/** Source of a definition, beside its name. */
type PlanContext = {
  /** Assignments of `--set`, as they were written. */
  changes?: readonly string[] | undefined;
  /** Folder of a definition in JSON, which may be a stranger's; null for code and for shipped studies. */
  folder: string | null;
  /** Command line, for what the user allows. */
  values: OptionValues;
};

/** A change of a definition by an option of the command line: path and value, as of `--set`. */
export type Change = readonly [path: string, value: unknown];

/** A study that begins again when it has ended (`--watch`), each time in a folder of its own. */
export type Watch<P> = {
  plan: P;
  values: OptionValues;
  software: () => Promise<Software>;
  /** Command that goes on with it. */
  again: string;
  signal: AbortSignal;
  say(text: string): void;
  /** Runs the study in a folder and writes its results. */
  run(folder: RunFolder<P>): Promise<Finished>;
};

/** `P`: plan of such a study; `D`: its definition. `params` is the schema of the definition. */
export type StudyKind<P extends StudyPlan = StudyPlan, D extends object = object> = Plugin & {
  /** Word for one of them in messages: "study", "game". */
  noun: string;
  /** Format of its plans. */
  format: P['format'];
  /** Shipped one that runs where none is named. */
  defaultName: string;
  /** Most trials in a queue at the same time. */
  mostAhead: number;
  /** Options beside those of every kind. */
  options?: NonNullable<ParseArgsConfig['options']>;
  /** Those options in the usage of the command. */
  usage?: string;
  /** Names of its options that allow something, and may be given with `--resume`. */
  allows?: readonly string[];
  /**
   * Study and changes that its options stand for. `named`: by the user. Throws `usage` where options do not go
   * together.
   */
  chosen?(values: OptionValues, named: string | undefined): { name?: string; changes: readonly Change[] };
  names(): Promise<string[]>;
  /** `ofAnyKind`: also a file that names another kind. */
  load(nameOrFile: string, options?: { ofAnyKind?: boolean }): Promise<LoadedStudy<D>>;
  /** Throws `bad-definition`. */
  makePlan(study: string, definition: D, registries: RunnerRegistries, context: PlanContext): P | Promise<P>;
  /** Plan of a folder, made anew. `path`: of the folder. Throws `bad-run-folder` where it differs from the kept one. */
  planAgain(kept: P, registries: RunnerRegistries, path: string, values: OptionValues): P | Promise<P>;
  /** Options that the user of a plan has to give again to go on with it. */
  allowedBy?(plan: P): OptionValues;
  /** Throws where this machine cannot run it. Returns remarks for the user, a line each. */
  check(plan: P, registries: RunnerRegistries, headed: boolean): Promise<readonly string[]>;
  /** Throws where other machines (`--hosts`) cannot run it. If missing, none can. */
  checkOverMachines?(plan: P, registries: RunnerRegistries): void;
  /** Versions and files that a plan runs on, as they are now. */
  files(plan: P, registries: RunnerRegistries): Software['files'];
  /** Services of its trials. */
  services(plan: P, registries: RunnerRegistries): Chosen[];
  /** Text of `--dry-run`, lines with their ends. */
  describe(plan: P, registries: RunnerRegistries): string;
  /** Demands of its trials on this machine. */
  needs(plan: P, registries: RunnerRegistries): StudyNeeds;
  /** Trials at once on this machine; `run.parallel` if missing. */
  lanes?(plan: P): number;
  /** Services of one kind that stay ready between trials; 1 if missing. */
  keep?: number;
  /** `out`: stream of the progress. */
  begin(plan: P, folder: RunFolder<P>, registries: RunnerRegistries, out: NodeJS.WriteStream): Promise<Running>;
  /** Folder of the run that a path holds, where it is not the path itself; undefined where it holds none. */
  runIn?(path: string): string | undefined;
  /** Plan that `--resume` goes on with, where the path holds a study that begins again and again. */
  watched?(path: string): string | undefined;
  /** Runs the study again and again until it is interrupted. If missing, it takes no `--watch`. */
  watch?(path: string, watch: Watch<P>): Promise<never>;
  /** Records of a run, for the export (recordsOf, where the plan has no conditions). */
  records(path: string): RunRecords & { path: string };
  /** Writes summary and report again, from the record in a run folder. */
  finishAgain(path: string): Promise<Written>;
  /** The result as a Markdown page. `html`: its report; `figures`: those of the report. */
  page(path: string, html: string, figures: readonly Figure[], addressOf: (figure: Figure) => string): Promise<Page>;
  /** Reason why two of them are not compared with `npm run report -- DIR DIR2`, and the mend; null: they are. */
  notCompared: { reason: string; hint: string } | null;
};

/** Text of a results page, and the figures that it shows. */
type Page = { text: string; figures: readonly Figure[] };
