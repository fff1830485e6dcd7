/** Initial records of a trial and of an application, which hold before either is started. */
import { experimentFormat } from '../definition/plan.ts';
import type { ApplicationFile, Finding, TrialFile } from './trial-file.ts';

export const neverBegun = (name: string, addresses: ApplicationFile['addresses']): ApplicationFile => ({
  name,
  addresses,
  startMs: null,
  readyMs: null,
  stopMs: null,
  clocks: null,
  facts: null,
  transport: null,
  received: null,
});

export const trialNeverBegun = (
  { study, trial, condition, attempt }: Pick<TrialFile, 'study' | 'trial' | 'condition' | 'attempt'>,
  applications: ApplicationFile[],
  findings: Finding[],
): TrialFile => ({
  format: experimentFormat,
  study,
  trial,
  condition,
  attempt,
  verdict: { status: 'invalid', findings },
  phases: null,
  backend: null,
  preflight: null,
  bottleneck: null,
  queueLog: null,
  capture: null,
  applications,
  cpuRatio: null,
});
