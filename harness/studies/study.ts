/**
 * Port of the kinds of study: experiment, pairs, game. A kind turns a definition into a plan, chooses the next trial,
 * and makes summary and report from the record. The command line, the runner, the queue of workers and the run folder
 * are the same for all kinds.
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
  /** Name of the definition. Missing if the plan does not keep it. */
  study?: string;
  run: { parallel: number; priority: boolean; preflight: boolean; privateNetworks?: boolean };
};

/** Values of the command line, including the kind's options. */
export type OptionValues = Readonly<Record<string, string | boolean | string[] | undefined>>;

/** Demands of a study on this machine. */
export type StudyNeeds = {
  /** True if trials take precedence over other programs. */
  precedence: boolean;
  /** Number of cores that concurrent trials keep busy. */
  cores: number;
  /** Returns options of the command line that reduce the need to `most` cores. Undefined if none are known. */
  mend(most: number): string | undefined;
};

/** Paths of summary and report in a run folder, and the summary itself. */
export type Written = { summary: object; summaryPath: string; reportPath: string };

export type Finished = Written & {
  /** Lines for the terminal. */
  lines: string[];
  /** Sentence about trials without a result. Null if every trial has one. */
  missing: string | null;
  /** Advice for trials that would fail again in the same way. `all`: true if it applies to every missing trial. */
  advice?: { words: readonly string[]; all: boolean };
  /** Throws if the summary misses a threshold. */
  refuse?: () => void;
};

/** A run that is about to begin. */
export type Running = {
  planner: Planner;
  progress: StudyOptions['progress'] & { say(text: string): void };
  /** Line printed before the first trial. */
  begins: string;
  finish(signal: AbortSignal): Promise<Finished>;
};

/** Context of a definition. */
type PlanContext = {
  /** Assignments of `--set`, as written. */
  changes?: readonly string[] | undefined;
  /** Folder of a definition in JSON, which may come from a stranger. Null for code and for shipped studies. */
  folder: string | null;
  /** Values of the command line, for permissions by the user. */
  values: OptionValues;
};

/** Change of a definition by an option of the command line: path and value, as for `--set`. */
export type Change = readonly [path: string, value: unknown];

/** A repeated study (`--watch`). Each repetition has a new folder. */
export type Watch<P> = {
  plan: P;
  values: OptionValues;
  software: () => Promise<Software>;
  /** Command that continues the study. */
  again: string;
  signal: AbortSignal;
  say(text: string): void;
  /** Runs the study in a folder and writes its results. */
  run(folder: RunFolder<P>): Promise<Finished>;
};

/** `P`: plan of such a study. `D`: its definition. `params` is the schema of the definition. */
export type StudyKind<P extends StudyPlan = StudyPlan, D extends object = object> = Plugin & {
  /** Word for such a study in messages: "study", "game". */
  noun: string;
  format: P['format'];
  /** Shipped study that runs if no study is named. */
  defaultName: string;
  /** Largest number of queued trials. */
  mostAhead: number;
  /** Options in addition to those of every kind. */
  options?: NonNullable<ParseArgsConfig['options']>;
  /** These options in the usage text of the command. */
  usage?: string;
  /** Names of options that grant permissions. They may be given with `--resume`. */
  allows?: readonly string[];
  /**
   * Returns the study and the changes that its options mean. `named`: study named by the user. Throws `usage` if
   * options exclude each other.
   */
  chosen?(values: OptionValues, named: string | undefined): { name?: string; changes: readonly Change[] };
  names(): Promise<string[]>;
  /** Loads a definition. `ofAnyKind`: accept a file that names another kind. */
  load(nameOrFile: string, options?: { ofAnyKind?: boolean }): Promise<LoadedStudy<D>>;
  /** Makes the plan of a definition. Throws `bad-definition`. */
  makePlan(study: string, definition: D, registries: RunnerRegistries, context: PlanContext): P | Promise<P>;
  /**
   * Computes the plan of a folder again. `path`: the folder. Throws `bad-run-folder` if it differs from the kept plan.
   */
  planAgain(kept: P, registries: RunnerRegistries, path: string, values: OptionValues): P | Promise<P>;
  /** Returns the options that the user of a plan must give again to continue it. */
  allowedBy?(plan: P): OptionValues;
  /** Throws if this machine cannot run the plan. Returns remarks for the user, a line each. */
  check(plan: P, registries: RunnerRegistries, headed: boolean): Promise<readonly string[]>;
  /** Throws if other machines (`--hosts`) cannot run the plan. If missing, this kind never runs on other machines. */
  checkOverMachines?(plan: P, registries: RunnerRegistries): void;
  /** Returns the files that a plan uses, with their current hashes. */
  files(plan: P, registries: RunnerRegistries): Software['files'];
  services(plan: P, registries: RunnerRegistries): Chosen[];
  /** Returns the text of `--dry-run`, including newlines. */
  describe(plan: P, registries: RunnerRegistries): string;
  needs(plan: P, registries: RunnerRegistries): StudyNeeds;
  /** Returns the number of concurrent trials on this machine. If missing, it is `run.parallel`. */
  lanes?(plan: P): number;
  /** Number of services of each kind that stay ready between trials. Default: 1. */
  keep?: number;
  /** Prepares a run. `out`: stream of the progress. */
  begin(plan: P, folder: RunFolder<P>, registries: RunnerRegistries, out: NodeJS.WriteStream): Promise<Running>;
  /** Returns the folder of the run that a path holds, if it is not the path itself. Undefined if it holds no run. */
  runIn?(path: string): string | undefined;
  /** Returns the folder whose plan `--resume` continues, if the path holds a repeated study. */
  watched?(path: string): string | undefined;
  /** Repeats the study until it is interrupted. If missing, the kind has no `--watch`. */
  watch?(path: string, watch: Watch<P>): Promise<never>;
  /** Returns the records of a run, for the export (recordsOf, if the plan has no conditions). */
  records(path: string): RunRecords & { path: string };
  /** Writes summary and report again, from the record in a run folder. */
  finishAgain(path: string): Promise<Written>;
  /** Returns the result as a Markdown page. `html`: the report. `figures`: figures of the report. */
  page(path: string, html: string, figures: readonly Figure[], addressOf: (figure: Figure) => string): Promise<Page>;
  /** Reason why two studies are not compared by `npm run report -- DIR DIR2`, and the remedy. Null if they are. */
  notCompared: { reason: string; hint: string } | null;
};

/** Text of a results page, and its figures. */
type Page = { text: string; figures: readonly Figure[] };
