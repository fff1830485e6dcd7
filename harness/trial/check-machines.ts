/** Checks that a study can run on the machines of a lab (`--hosts`). Starts nothing and contacts no machine. */
import { CoexistError } from '../../core/errors.ts';
import { boundOf, pick } from '../../core/plugins.ts';
import { tracesOf } from '../../shaper/traces/load.ts';
import type { Condition } from '../definition/conditions.ts';
import type { RunnerRegistries } from './registries.ts';

const refuse = (what: string, hint: string) => new CoexistError('no-host', `over --hosts ${what}`, { hint });

/**
 * Throws `no-host` if the machines of a lab cannot run trials of the conditions. The message names the part that
 * prevents it. `parallel`: number of concurrent trials that the plan asks for; 0 if it leaves the number open.
 */
export function checkOverMachines(
  conditions: readonly Condition[],
  parallel: number,
  registries: RunnerRegistries,
): void {
  if (parallel > 1)
    throw refuse(`${parallel} trials at once cannot run: the machines carry one`, 'set run.parallel to 1');
  tracesOf(conditions.map(({ link }) => link));
  if (conditions.some(({ link }) => link.further !== undefined))
    throw refuse('several bottlenecks in a row cannot be formed: the machines have one router', 'leave out link.then');
  const able = [...registries.services.values()].filter(({ isOverMachines }) => isOverMachines);
  const others = `leave out --hosts, or take one of ${able.map(({ id }) => id).join(', ')}`;
  for (const { id, applications } of conditions) {
    for (const { name, service, tunnel } of applications) {
      const { title, isOverMachines } = pick(registries.services, service.id, 'service');
      const { machinesObstacle: obstacle } = boundOf(registries.services, service, 'service');
      if (obstacle !== null)
        throw refuse(
          `the application ${name} (${title}) of condition ${id} cannot run yet: ${obstacle}`,
          isOverMachines ? 'leave out --hosts, or what the application sets there' : others,
        );
      if (tunnel !== undefined)
        throw refuse(
          `the application ${name} of condition ${id} cannot run yet: its tunnel needs this machine`,
          'leave out --hosts or the tunnel',
        );
    }
  }
}
