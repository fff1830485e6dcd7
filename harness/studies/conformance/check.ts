/** Checks that this machine can run a conformance study. Starts no trial. */
import { boundOf } from '../../../core/plugins.ts';
import { checkMachine, checkRoot } from '../../trial/check.ts';
import type { RunnerRegistries } from '../../trial/registries.ts';
import type { ConformancePlan } from './plan.ts';

/** Throws if the machine cannot run the plan. Returns remarks on cases that need more cores than it has. */
export async function checkConformance(
  { conditions, run }: ConformancePlan,
  registries: RunnerRegistries,
  headed: boolean,
): Promise<string[]> {
  checkRoot('a conformance study needs');
  const crowds: string[] = [];
  await checkMachine(conditions, run.parallel, registries, {
    checkService: service => boundOf(registries.services, service, 'service').check(headed),
    onCrowd: message => crowds.push(message),
  });
  return crowds.map(message => `${message}: trials that this disturbs are void and are run again`);
}
