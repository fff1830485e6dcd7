/** Returns the plan that `npm run pairs` makes from its options. */
import { planOf } from '../../../../../../harness/cli/study-command.ts';
import { plugin } from '../../../../../../harness/studies/pairs/index.ts';
import type { PairsPlan } from '../../../../../../harness/studies/pairs/plan.ts';
import type { OptionValues } from '../../../../../../harness/studies/study.ts';
import type { RunnerRegistries } from '../../../../../../harness/trial/registries.ts';

export async function pairsPlanOf(
  values: OptionValues,
  registries: Pick<RunnerRegistries, 'services'>,
): Promise<PairsPlan> {
  const all = { aqms: new Map(), tunnels: new Map(), ...registries };
  return (await planOf(plugin, undefined, values, all)) as PairsPlan;
}
