/**
 * Port of the kinds of study: experiment, pairs, game, conformance. A kind makes a plan from a definition, chooses the next trial,
 * and writes summary and report from the record. All kinds share the command line, the runner, the queue of workers and
 * the run folder.
 */
import type { ParseArgsConfig } from 'node:util';
import type { Plugin } from '../../core/plugins.ts';
import type { Site, SiteFile } from '../../reports/cycles/index.ts';
import type { Figure } from '../../reports/results/figures.ts';
import type { ResultsPage } from '../../reports/results/kind-report.ts';
import type { Compared } from '../analysis/compare/compare-runs.ts';
import type { Gated } from '../analysis/gate/gated.ts';
import type { Outcome } from '../analysis/gate/judge.ts';
import type { Condition } from '../definition/conditions.ts';
import type { LoadedStudy } from '../definition/load.ts';
import type { RunFolder, RunRecords } from '../record/run-folder.ts';
import type { Software } from '../record/software.ts';
import type { RunnerRegistries } from '../trial/registries.ts';
import type { StudyOptions } from '../trial/study.ts';
import type { Planner } from './planner/planner.ts';

/** Parts of a plan that all kinds share. */
export type StudyPlan = {
  format: unknown;
  title: string;
  /** Name of the definition. Missing if the plan does not contain the name. */
  study?: string;
  run: { parallel: number; priority: boolean; preflight: boolean; privateNetworks?: boolean };
};

/** Values of the options on the command line, including options of the kind. */
export type OptionValues = Readonly<Record<string, string | boolean | string[] | undefined>>;

/** Requirements of a study on this machine. */
export type StudyNeeds = {
  /** True if trials run with precedence over other programs. */
  precedence: boolean;
  /** Number of cores that the concurrent trials keep busy. */
  cores: number;
  /**
   * Returns options of the command line with which the trials need at most `most` cores. Undefined if no such options
   * are known.
   */
  mend(most: number): string | undefined;
};

/** Summary of a run, and the paths of the written summary and report. */
export type Written = {
  /** Summary of the run, with the outcome of each threshold of the definition. */
  summary: { thresholds: readonly Outcome[] };
  summaryPath: string;
  reportPath: string;
};

export type Finished = Written & {
  /** Lines about the result, for the terminal. */
  lines: string[];
  /** Sentence about the trials without a result. Null if every trial has a result. */
  missing: string | null;
  /**
   * Advice for trials that would fail again in the same way. `all`: true if the advice applies to every trial without a
   * result.
   */
  advice?: { words: readonly string[]; all: boolean };
};

/** A prepared run whose first trial has not started yet. */
export type Running = {
  planner: Planner;
  progress: StudyOptions['progress'] & { say(text: string): void };
  /** Line that is printed before the first trial. */
  begins: string;
  finish(signal: AbortSignal): Promise<Finished>;
};

/** Context in which a plan is made from a definition. */
type PlanContext = {
  /** Assignments of `--set`, as written on the command line. */
  changes?: readonly string[] | undefined;
  /** Values of the options on the command line. They contain the permissions that the user grants. */
  values: OptionValues;
};

/** Change of a definition that an option of the command line makes: path and value, as for `--set`. */
export type Change = readonly [path: string, value: unknown];

/** A kind of study. `P`: type of its plans. `D`: type of its definitions. `params`: schema of a definition. */
export type StudyKind<P extends StudyPlan = StudyPlan, D extends object = object> = Plugin & {
  /** Word for a study of this kind in messages: "study", "game". */
  noun: string;
  format: P['format'];
  /** Name of the shipped study that runs if the user names none. */
  defaultName: string;
  /** Largest number of trials that may be queued for workers ahead of time. */
  mostAhead: number;
  /** Command-line options of this kind, in addition to the options of all kinds. */
  options?: NonNullable<ParseArgsConfig['options']>;
  /** Part of the usage text that explains these options. */
  usage?: string;
  /** Names of options that grant permissions. The user may give these options together with `--resume`. */
  allows?: readonly string[];
  /**
   * Returns the study and the changes that the options of this kind stand for. `named`: study that the user named.
   * Throws `usage` if options exclude each other.
   */
  chosen?(values: OptionValues, named: string | undefined): { name?: string; changes: readonly Change[] };
  names(): Promise<string[]>;
  load(nameOrFile: string): Promise<LoadedStudy<D>>;
  /** Makes the plan of a definition. Throws `bad-definition` if the definition is wrong. */
  makePlan(study: string, definition: D, registries: RunnerRegistries, context: PlanContext): P | Promise<P>;
  /**
   * Computes the plan of the run folder `path` again. Throws `bad-run-folder` if the result differs from the plan
   * `kept` in the folder.
   */
  planAgain(kept: P, registries: RunnerRegistries, path: string, values: OptionValues): P | Promise<P>;
  /** Returns the permission options of a plan. The user must give them again to continue the study. */
  allowedBy?(plan: P): OptionValues;
  /** Throws if this machine cannot run the plan. Returns remarks for the user, one line each. */
  check(plan: P, registries: RunnerRegistries, headed: boolean): Promise<readonly string[]>;
  /** Returns conditions that together have every link and every application that a trial of the plan can have. */
  conditions(plan: P, registries: RunnerRegistries): readonly Condition[];
  /** Throws if a file of the plan is not the one that the user trusted. `files`: present hashes, by path. */
  checkFiles?(plan: P, files: Software['files'], registries: RunnerRegistries): void;
  /** Returns the text that `--dry-run` prints, including newlines. */
  describe(plan: P, registries: RunnerRegistries): string;
  needs(plan: P, registries: RunnerRegistries): StudyNeeds;
  /** Returns the number of concurrent trials on this machine. Without this method the number is `run.parallel`. */
  lanes?(plan: P): number;
  /** Number of service instances of each kind that stay ready between trials. Default: 1. */
  keep?: number;
  /** Prepares a run. `out`: stream for the progress lines. */
  begin(plan: P, folder: RunFolder<P>, registries: RunnerRegistries, out: NodeJS.WriteStream): Promise<Running>;
  /**
   * Returns the pages of a repeated study (`--watch`). Without this method the site is an index of the cycles, each
   * with its result and a comparison with the cycle before.
   */
  sitePages?(site: Site): Promise<SiteFile[]>;
  /** Returns the records of a run for the export. A kind whose plans list no conditions uses recordsOf. */
  records(path: string): RunRecords & { path: string };
  /** Writes summary and report again, from the record in the run folder `path`. */
  finishAgain(path: string): Promise<Written>;
  /** Returns the result as a Markdown page. `html`: text of the report. `figures`: figures that the report contains. */
  page(
    path: string,
    html: string,
    figures: readonly Figure[],
    addressOf: (figure: Figure) => string,
  ): Promise<ResultsPage>;
  /** Returns the thresholds and claims of a plan as written, and what they can name. */
  gated(plan: P, registries: RunnerRegistries): Promise<Gated>;
  /** Returns the description of the run in the folder `path`, for the comparison with another. */
  compared(path: string): Promise<Compared>;
};
