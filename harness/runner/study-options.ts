/** What a study is run with, and what it tells meanwhile. */
import type { Condition } from '../experiment/conditions.ts';
import type { Plan, Trial } from '../experiment/plan.ts';
import type { RunFolder } from '../record/run-folder.ts';
import type { TrialFile } from '../record/trial-file.ts';
import type { LiveReading } from '../derive/live-meter.ts';
import type { RunnerRegistries } from './registries.ts';

/** What a study tells while it runs. */
export type Progress = {
  /** `left`: trials without a result, this one included. */
  onTrialStart(trial: Trial, condition: Condition, attempt: number, left: number): void;
  /** The link is being proved before the first trial on it. */
  onPreflight(trial: Trial): void;
  onLive(trial: Trial, values: LiveReading & { elapsedMs: number }): void;
  onTrialEnd(file: TrialFile, willRetry: boolean): void;
};

export type StudyOptions = { plan: Plan; folder: RunFolder; registries: RunnerRegistries; headed: boolean; signal: AbortSignal; progress: Progress };
