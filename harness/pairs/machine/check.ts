/** Whether this machine can run a pairwise study. Nothing is started. */
import { availableParallelism } from 'node:os';
import { CoexistError } from '../../../core/errors.ts';
import type { BackendId } from '../../../core/link.ts';
import { pick } from '../../../core/plugins.ts';
import { checkRoot } from '../../runner/check.ts';
import { admit } from '../../runner/cores.ts';
import type { RunnerRegistries } from '../../runner/registries.ts';
import { probeCapabilities } from '../../../shaper/backend/capabilities.ts';
import { aqmsOf, chooseBackend } from '../../../shaper/backend/choose.ts';
import { checkOutside } from './outside.ts';
import type { PairsPlan } from '../plan.ts';

/** Lanes that a study has on this machine. */
export function lanesOf(plan: PairsPlan): number {
  return plan.run.parallel === 0 ? Math.max(1, Math.floor(availableParallelism() / 2)) : plan.run.parallel;
}

/** Throws where this machine cannot run the plan: root, cores, links, services. */
export async function checkPairs(plan: PairsPlan, registries: RunnerRegistries, headed: boolean): Promise<void> {
  checkRoot('pairwise tests need');
  const { services, aqms } = registries;
  admit(lanesOf(plan), availableParallelism());
  const can = probeCapabilities();
  const backends: BackendId[] = [];
  for (const { link } of plan.links) backends.push(await chooseBackend(link, aqmsOf(link, aqms), can));
  for (const contestant of plan.contestants) {
    const {
      name,
      service: { id, params },
    } = contestant;
    try {
      await pick(services, id, 'service').check(params as never, headed);
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
}
