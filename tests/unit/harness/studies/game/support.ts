/** A small game for tests, with synthetic trials. */

import type { TrialFile } from '../../../../../harness/record/trial-file.ts';
import type { Payoffs } from '../../../../../harness/studies/game/analysis/evidence.ts';
import type { GameDefinition } from '../../../../../harness/studies/game/define.ts';
import { type GamePlan, makeGamePlan } from '../../../../../harness/studies/game/plan.ts';
import { loadMetrics } from '../../../../../harness/studies/metrics.ts';
import type { Planned } from '../../../../../harness/studies/planner/planner.ts';
import { loadRegistries } from '../../../../../harness/trial/registries.ts';

export const registries = await loadRegistries();
export const metrics = await loadMetrics();
export const quantities = metrics.flatMap(metric => metric.quantities);

export const twoFlows: GameDefinition = {
  title: 'Two',
  question: 'Who?',
  source: 'own',
  link: { rate: '20mbit', queue: { limit: '2bdp' } },
  groups: { near: { players: 1, link: { rtt: '40ms' } }, far: { players: 1, link: { rtt: '80ms' } } },
  strategies: {
    cubic: { title: 'CUBIC', service: { id: 'iperf', congestionControl: 'cubic' } },
    bbr: { title: 'BBRv1', service: { id: 'iperf', congestionControl: 'bbr' } },
  },
  run: { most: 6 },
};

export function gamePlan(definition: GameDefinition): GamePlan {
  return makeGamePlan('test', definition, registries, quantities);
}

/** Returns the file that a runner would write for a planned trial. */
export function fileOf(
  { trial, condition }: Pick<Planned, 'trial' | 'condition'>,
  status: 'valid' | 'invalid' = 'valid',
): TrialFile {
  return {
    format: 4,
    study: 'test',
    trial,
    condition,
    attempt: 1,
    verdict: {
      status,
      findings: status === 'valid' ? [] : [{ kind: 'failure', status: 'invalid', message: 'iperf3 ended' }],
    },
    phases: { preparedMs: 0, readyMs: 1, windowStartMs: 1000, windowEndMs: 61_000, endMs: 61_000 },
    backend: null,
    preflight: null,
    bottleneck: null,
    queueLog: null,
    capture: null,
    applications: [],
    cpuRatio: null,
  };
}

/** Payoffs in which BBR has more in every state. Trials differ a little by round. */
export const measure = async (
  file: TrialFile,
  _game: unknown,
  state: readonly (readonly number[])[],
): Promise<Payoffs> => {
  const off = ((file.trial.repeat % 3) - 1) * 5e4;
  const bbrs = state[0]![1]! + state[1]![1]!;
  return state.map(([cubic, bbr]) => [
    cubic === 0 ? null : (bbrs === 0 ? 10e6 : 4e6) + off,
    bbr === 0 ? null : (bbrs === 2 ? 10e6 : 16e6) + off,
  ]);
};
