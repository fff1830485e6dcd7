/** A run folder with trials of hand-made values. */
import { join } from 'node:path';
import { conditionOf, type Plan } from '../../../../harness/definition/plan.ts';
import { RunFolder } from '../../../../harness/record/run-folder.ts';
import type { TrialFile } from '../../../../harness/record/trial-file.ts';
import type { Versions } from '../../../../harness/record/versions.ts';
import { type Change, trialFile } from './record.ts';

export const versions: Versions = {
  coexist: '0.1.0',
  commit: 'abc',
  kernel: '6.18',
  distribution: 'Debian',
  node: 'v24',
  browser: 'Chromium 156',
  iperf3: 'iperf 3.12',
  iproute2: 'tc',
  processor: 'cpu',
  cores: 2,
  memoryBytes: 4 * 2 ** 30,
};

export function createFolder(parent: string, name: string, plan: Plan): RunFolder {
  return RunFolder.create(join(parent, name), { plan, versions, createdMs: Date.UTC(2026, 10, 20) });
}

/** The file of the plan's n-th trial (from 1), as the runner would write it. */
export function fileOf(plan: Plan, number: number, change: Change = {}): TrialFile {
  const trial = plan.trials[number - 1]!;
  return trialFile({ trial, condition: conditionOf(plan, trial.condition), ...change });
}

export const voided: TrialFile['verdict'] = {
  status: 'invalid',
  findings: [{ kind: 'host', status: 'invalid', message: 'the machine was 99 % busy' }],
};

/** Commits a trial with whatever `write` puts into its folder. */
export function commitTrial(folder: RunFolder, file: TrialFile, write: (directory: string) => void = () => {}): string {
  const directory = folder.begin(file.trial.id);
  write(directory);
  return folder.commit(directory, file);
}
