/** A whole study: every trial of a plan that has no result yet, one after another, voided ones again. */
import { CoexistError } from '../base/errors.ts';
import { Lease } from '../base/lease.ts';
import { pick } from '../base/plugins.ts';
import { conditionOf } from '../experiment/plan.ts';
import type { Condition } from '../experiment/conditions.ts';
import type { Plan, Trial } from '../experiment/plan.ts';
import type { RunFolder } from '../record/run-folder.ts';
import type { TrialFile } from '../record/trial-file.ts';
import type { LiveValues, PreparedService } from '../services/service.ts';
import { Bottleneck } from '../../shaper/tc/bottleneck.ts';
import { Dumbbell } from '../../shaper/topology/dumbbell.ts';
import { removeCongestionControls } from './congestion-controls.ts';
import type { RunnerRegistries } from './registries.ts';
import { runTrial } from './trial.ts';

/** What a study tells while it runs. */
export type Progress = {
  /** `left`: trials without a result, this one included. */
  onTrialStart(trial: Trial, condition: Condition, attempt: number, left: number): void;
  onLive(trial: Trial, values: LiveValues & { elapsedMs: number }): void;
  onTrialEnd(file: TrialFile, willRetry: boolean): void;
};

export type StudyOptions = { plan: Plan; folder: RunFolder; registries: RunnerRegistries; headed: boolean; signal: AbortSignal; progress: Progress };

/** Trials that have no result in the folder yet. */
export function missingTrials(plan: Plan, folder: RunFolder): Trial[] {
  const done = new Set(folder.trialNames());
  return plan.trials.filter(trial => !done.has(trial.id));
}

/** Throws where this machine cannot run the plan: root, browser, clip, congestion control. Nothing is started. */
export async function checkStudy(plan: Plan, registries: RunnerRegistries, headed: boolean): Promise<void> {
  if (process.getuid?.() !== 0) {
    throw new CoexistError('no-root', 'running an experiment needs root, to make network namespaces and to set the link', {
      hint: 'run it with sudo, or as root in a container that has CAP_NET_ADMIN and CAP_SYS_ADMIN',
    });
  }
  const seen = new Set<string>();
  for (const { service, flood } of plan.conditions) {
    for (const [kind, chosen] of [['service', service], ['flood', flood]] as const) {
      const key = JSON.stringify(chosen);
      if (seen.has(key)) continue;
      seen.add(key);
      if (kind === 'service') await pick(registries.services, chosen.id, kind).check(chosen.params as never, headed);
      else await pick(registries.floods, chosen.id, kind).check(undefined, chosen.params as never);
    }
  }
}

/** Runs what is missing. Returns the trials that got no valid result. */
export async function runStudy(options: StudyOptions): Promise<Trial[]> {
  const lease = Lease.open();
  let dumbbell: Dumbbell | undefined;
  const services = new ServicePool(options, lease, () => dumbbell!);
  try {
    dumbbell = await Dumbbell.build(lease);
    const bottleneck = new Bottleneck(dumbbell.hosts.router);
    const failed: Trial[] = [];
    const trials = missingTrials(options.plan, options.folder);
    for (const [i, trial] of trials.entries()) {
      const file = await runUntilValid(options, trial, trials.length - i, { lease, dumbbell, bottleneck, services });
      if (file.verdict.status === 'invalid') failed.push(trial);
    }
    return failed;
  } finally {
    await services.close().catch(() => {}); // what it could not stop dies with its namespace
    await dumbbell?.remove();
    await removeCongestionControls(lease.congestionControls);
    lease.release();
  }
}

type Equipment = { lease: Lease; dumbbell: Dumbbell; bottleneck: Bottleneck; services: ServicePool };

/** One trial, again while it is voided and tries are left. A part that fails is tried once more, a disturbance of the host more often. */
async function runUntilValid(
  { plan, folder, registries, signal, progress }: StudyOptions, trial: Trial, left: number, { lease, dumbbell, bottleneck, services }: Equipment,
): Promise<TrialFile> {
  const condition = conditionOf(plan, trial.condition);
  for (let attempt = folder.nextAttempt(trial.id), tries = 1; ; attempt++, tries++) {
    signal.throwIfAborted();
    progress.onTrialStart(trial, condition, attempt, left);
    const service = await services.get(condition);
    const directory = folder.begin(trial.id);
    try {
      const file = await runTrial({
        study: plan.study, run: plan.run, trial, condition, attempt, directory, lease, dumbbell, bottleneck, service, signal,
        flood: pick(registries.floods, condition.flood.id, 'flood'), onLive: values => progress.onLive(trial, values),
      });
      folder.commit(directory, file);
      const hostOnly = file.verdict.findings.every(finding => finding.status !== 'invalid' || finding.kind === 'host');
      const again = file.verdict.status === 'invalid' && tries <= (hostOnly ? plan.run.retries : Math.min(1, plan.run.retries));
      progress.onTrialEnd(file, again);
      if (!again) return file;
    } catch (error) {
      folder.discard(directory);
      throw error;
    }
  }
}

/** Services that are ready, the newest only: a clip in memory takes a gigabyte. */
class ServicePool {
  readonly #options: StudyOptions;
  readonly #lease: Lease;
  readonly #dumbbell: () => Dumbbell;
  #current: { key: string; service: PreparedService } | undefined;

  constructor(options: StudyOptions, lease: Lease, dumbbell: () => Dumbbell) {
    this.#options = options;
    this.#lease = lease;
    this.#dumbbell = dumbbell;
  }

  async get({ service: { id, params } }: Condition): Promise<PreparedService> {
    const plugin = pick(this.#options.registries.services, id, 'service');
    const key = `${id} ${plugin.preparationKey(params as never)}`;
    if (this.#current?.key === key) return this.#current.service;
    await this.close();
    const { hosts, addresses } = this.#dumbbell();
    const service = await plugin.prepare({ network: { hosts, addresses }, scratch: this.#lease.scratch, headed: this.#options.headed }, params as never);
    this.#current = { key, service };
    return service;
  }

  async close(): Promise<void> {
    await this.#current?.service.close();
    this.#current = undefined;
  }
}
