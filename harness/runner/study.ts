/** A whole study: every trial of a plan that has no result yet, in the plan's order, voided ones again. */
import { availableParallelism } from 'node:os';
import { CoexistError } from '../../core/errors.ts';
import { pick } from '../../core/plugins.ts';
import { checkLength } from '../../core/trial-length.ts';
import type { Plan, Trial } from '../experiment/plan.ts';
import type { RunFolder } from '../record/run-folder.ts';
import { probeCapabilities } from '../../shaper/backend/capabilities.ts';
import { aqmsOf, chooseBackend } from '../../shaper/backend/choose.ts';
import { readTrace } from '../../shaper/backend/trace.ts';
import { admit, laneCores } from './cores.ts';
import { Lane } from './lane.ts';
import type { RunnerRegistries } from './registries.ts';
import type { StudyOptions } from './study-options.ts';

/** Trials that have no result in the folder yet. */
export function missingTrials(plan: Plan, folder: RunFolder): Trial[] {
  const done = new Set(folder.trialNames());
  return plan.trials.filter(trial => !done.has(trial.id));
}

/** Throws where this machine cannot run the plan: root, link, browser, clip, congestion control. Nothing is started. */
export async function checkStudy(plan: Plan, registries: RunnerRegistries, headed: boolean): Promise<void> {
  if (process.getuid?.() !== 0) {
    throw new CoexistError('no-root', 'running an experiment needs root, to make network namespaces and to set the link', {
      hint: 'run it with sudo, or as root in a container that has CAP_NET_ADMIN and CAP_SYS_ADMIN',
    });
  }
  admit(plan.run.parallel, availableParallelism());
  const seen = new Set<string>();
  const can = probeCapabilities();
  for (const { link, service, flood } of plan.conditions) {
    for (const [kind, chosen] of [['link', link], ['service', service], ['flood', flood]] as const) {
      const key = JSON.stringify(chosen);
      if (seen.has(key)) continue;
      seen.add(key);
      if (kind === 'link') {
        for (const trace of [chosen.trace, chosen.up?.trace ?? null]) if (trace !== null) readTrace(trace);
        await chooseBackend(chosen, aqmsOf(chosen, registries.aqms), can);
      } else if (kind === 'service') {
        const plugin = pick(registries.services, chosen.id, kind);
        if (plugin.outside !== undefined) throw new CoexistError('bad-definition', `service ${chosen.id} goes to the Internet, to which an experiment has no way`, { hint: 'run it as a contestant of "npm run pairs"' });
        const length = { windowMs: plan.run.windowMs, besideMs: plan.run.startUpMs, besideSettings: 'run.startUp' };
        checkLength(chosen.title, plugin.longestMs?.(chosen.params as never) ?? null, length, 'choose another service');
        await plugin.check(chosen.params as never, headed);
      } else await pick(registries.floods, chosen.id, kind).check(undefined, chosen.params as never);
    }
  }
}

/** Runs what is missing, on as many lanes as the plan allows. Returns the trials that got no valid result. */
export async function runStudy(options: StudyOptions): Promise<Trial[]> {
  const trials = missingTrials(options.plan, options.folder);
  const lanes = Math.min(options.plan.run.parallel, trials.length);
  const can = probeCapabilities();
  const broken = new AbortController();
  const signal = AbortSignal.any([options.signal, broken.signal]);
  const failed: Trial[] = [];
  let next = 0;
  const runLane = async (k: number): Promise<void> => {
    const lane = await Lane.open({ ...options, signal }, can, laneCores(k, lanes, availableParallelism()));
    try {
      while (next < trials.length) {
        const left = trials.length - next;
        const file = await lane.runUntilValid(trials[next++]!, left);
        if (file.verdict.status === 'invalid') failed.push(options.plan.trials.find(trial => trial.id === file.trial.id)!);
      }
    } finally {
      await lane.close();
    }
  };
  const ends = await Promise.allSettled(Array.from({ length: lanes }, (_, k) => runLane(k).catch(error => {
    broken.abort(error); // what ends one lane ends the study
    throw error;
  })));
  options.signal.throwIfAborted();
  if (broken.signal.aborted) throw broken.signal.reason;
  if (ends.some(end => end.status === 'rejected')) throw new Error('a lane ended without a reason');
  return failed;
}
