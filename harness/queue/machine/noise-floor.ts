/**
 * Measures the noise floor of this machine with the shipped study `noise-floor`, but with fewer and shorter trials. A
 * noise floor that passed is stored for a day, so that a worker that is restarted takes trials at once.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { writeWhole } from '../../../core/system/whole-file.ts';
import { stallsOf } from '../../analysis/derive/stalls.ts';
import { loadStudy } from '../../definition/load.ts';
import { makePlan } from '../../definition/plan.ts';
import { withAssignments } from '../../definition/set.ts';
import { RunFolder } from '../../record/run-folder.ts';
import type { Software } from '../../record/software.ts';
import type { TrialRecord } from '../../record/trial-record.ts';
import { GridPlanner } from '../../studies/planner/grid.ts';
import { checkStudy } from '../../trial/check.ts';
import type { RunnerRegistries } from '../../trial/registries.ts';
import { type Progress, runStudy } from '../../trial/study.ts';
import { type FloorTrial, judgeNoiseFloor, type NoiseFloor, readNoiseFloor } from '../noise-floor.ts';
import { Spool } from './spool.ts';

/**
 * Settings of the study. Its trials take about two minutes in all, long enough for a disturbance that recurs every few
 * seconds.
 */
const settings = ['run.window=20s', 'run.repeats=3', 'run.retries=0'];

const keptMs = 24 * 3600e3;

const silent: Progress = { onTrialStart: () => {}, onPreflight: () => {}, onLive: () => {}, onTrialEnd: () => {} };

type FloorOptions = {
  registries: RunnerRegistries;
  software: Software;
  /** Version of the sources. A stored noise floor is not used if the version, the boot or the software has changed. */
  code: string;
  /** Folder that holds the stored noise floor, and the trials while they run. */
  parent: string;
  signal: AbortSignal;
  /** Called before the noise floor is measured. It is not called if the stored one is used. */
  onStart(): void;
  /** Functions that check the study, run it and measure a trial. Default: the functions for this machine. */
  by?: { check: typeof checkStudy; run: typeof runStudy; stalledS: typeof stalledS };
};

const bootId = () => readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();

/**
 * Returns the stored noise floor of this boot, code and software; undefined if no such floor is stored or if it is too
 * old.
 */
function kept(file: string, key: string): NoiseFloor | undefined {
  try {
    const { key: of, atMs, floor } = JSON.parse(readFileSync(file, 'utf8')) as Record<string, unknown>;
    if (of !== key || typeof atMs !== 'number' || Math.abs(Date.now() - atMs) > keptMs) return undefined;
    return readNoiseFloor(floor);
  } catch {
    return undefined; // there is no file, or it cannot be read
  }
}

/** Returns the stalled time of a trial, s; null if the trial was not measured. */
async function stalledS(record: TrialRecord): Promise<number | null> {
  if (record.file.phases === null) return null;
  return (await stallsOf(record)).reduce((sum, { startMs, endMs }) => sum + endMs - startMs, 0) / 1000;
}

async function floorTrials(folder: RunFolder, stalled: typeof stalledS): Promise<FloorTrial[]> {
  const trials: FloorTrial[] = [];
  for (const name of folder.trialNames({ voided: true })) {
    const record = folder.record(name);
    const { status, findings } = record.file.verdict;
    trials.push({
      status,
      reasons: findings.filter(finding => finding.status === status).map(({ message }) => message),
      stallS: status === 'invalid' ? null : await stalled(record),
    });
  }
  return trials;
}

/**
 * Returns the stored noise floor, or measures it. Throws if this machine cannot run the study (no browser, not root).
 */
export async function measureNoiseFloor(options: FloorOptions): Promise<NoiseFloor> {
  const { registries, software, code, parent, signal, by = { check: checkStudy, run: runStudy, stalledS } } = options;
  const file = join(parent, 'noise-floor.json');
  const key = JSON.stringify([code, bootId(), software.versions]);
  const known = kept(file, key);
  if (known !== undefined) return known;
  options.onStart();
  const { study, definition } = await loadStudy('noise-floor');
  const plan = makePlan(study, withAssignments(definition, settings), registries);
  await by.check(plan, registries, false);
  const spool = new Spool(join(parent, 'trials'));
  const folder = RunFolder.create(spool.begin(study), { plan, ...software, createdMs: Date.now() });
  try {
    const planner = new GridPlanner(plan, plan.trials);
    const { priority, preflight } = plan.run;
    await by.run({
      planner,
      folder,
      software,
      registries,
      priority,
      preflight,
      headed: false,
      lanes: 1,
      signal,
      progress: silent,
    });
    const floor = judgeNoiseFloor(await floorTrials(folder, by.stalledS));
    if (floor.passed) writeWhole(file, `${JSON.stringify({ key, atMs: Date.now(), floor })}\n`);
    return floor;
  } finally {
    folder.release();
    spool.remove();
  }
}
