/** Checks that this machine can run a pairwise study. Starts no trial. */
import { availableParallelism } from 'node:os';
import { CoexistError } from '../../../core/errors.ts';
import { boundOf } from '../../../core/plugins.ts';
import type { BackendId } from '../../../core/vocabulary/link.ts';
import { checkMachine, checkRoot } from '../../trial/check.ts';
import { mostLanes } from '../../trial/cores.ts';
import type { RunnerRegistries } from '../../trial/registries.ts';
import type { Contestant } from './contestant.ts';
import { conditionOfCell } from './matrix.ts';
import { checkOutside } from './outside.ts';
import type { PairsPlan } from './plan.ts';

/**
 * Returns the number of concurrent trials: `run.parallel`, or the number that the processors allow if `run.parallel` is
 * 0.
 */
export function lanesOf(plan: PairsPlan): number {
  return plan.run.parallel === 0 ? mostLanes(availableParallelism()) : plan.run.parallel;
}

/**
 * Throws if this machine lacks something that the plan needs: root, cores, links, services. Returns a line for each
 * cell whose two services need more cores than the machine has. Trials of such a cell may be void, but the study still
 * runs.
 */
export async function checkPairs(plan: PairsPlan, registries: RunnerRegistries, headed: boolean): Promise<string[]> {
  checkRoot('pairwise tests need');
  const crowds: string[] = [];
  await checkMachine(
    plan.cells.map(cell => conditionOfCell(plan, cell)),
    lanesOf(plan),
    registries,
    {
      checkService: (service, backends) =>
        checkContestant(plan.contestants.find(contestant => contestant.service === service)!, {
          plan,
          registries,
          backends,
          headed,
        }),
      onCrowd: message => void crowds.push(message),
    },
  );
  return crowds;
}

async function checkContestant(
  contestant: Contestant,
  {
    plan,
    registries,
    backends,
    headed,
  }: { plan: PairsPlan; registries: RunnerRegistries; backends: readonly BackendId[]; headed: boolean },
): Promise<void> {
  const { name, service, scriptSha256 } = contestant;
  try {
    await boundOf(registries.services, service, 'service').check(headed, scriptSha256);
    await checkOutside(contestant, registries, backends, plan.run);
  } catch (error) {
    if (!(error instanceof CoexistError)) throw error;
    throw new CoexistError(
      error.code,
      `service ${name}: ${error.message}`,
      error.hint === undefined ? {} : { hint: error.hint },
    );
  }
}
