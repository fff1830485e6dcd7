/** Reduces the frame size of an experiment until this machine has enough cores for its trials. */
import { CoexistError } from '../../../core/errors.ts';
import { makePlan, type Plan } from '../../definition/plan.ts';
import { withAssignments } from '../../definition/set.ts';
import { coresKeptBusy } from '../../trial/check.ts';
import type { RunnerRegistries } from '../../trial/registries.ts';

/** Usual frame sizes of calls and streams, 16:9, the largest first. */
const sizes = [
  [1280, 720],
  [960, 540],
  [640, 360],
  [480, 270],
  [320, 180],
] as const;

/**
 * Returns `--set` arguments for the largest usual frame size at which the trials need at most `mostCores` cores.
 * Undefined if no size is small enough, or if the service of the experiment has no frame size.
 */
export function smallerFrames(
  { study, definition, run }: Plan,
  registries: RunnerRegistries,
  mostCores: number,
): string | undefined {
  for (const [width, height] of sizes) {
    const changes = [`service.width=${width}`, `service.height=${height}`];
    try {
      const { conditions } = makePlan(study, withAssignments(definition, changes), registries);
      if (coresKeptBusy(conditions, run.parallel, registries) <= mostCores)
        return changes.map(change => `--set ${change}`).join(' ');
    } catch (error) {
      if (error instanceof CoexistError) return undefined; // its stream has no frame size
      throw error;
    }
  }
  return undefined;
}
