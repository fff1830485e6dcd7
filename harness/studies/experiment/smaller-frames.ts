/** The `--set` that makes the frames of an experiment's stream so small that its trials get the cores that they need. */
import { CoexistError } from '../../../core/errors.ts';
import { makePlan, type Plan } from '../../definition/plan.ts';
import { withAssignments } from '../../definition/set.ts';
import { coresKeptBusy } from '../../trial/check.ts';
import type { RunnerRegistries } from '../../trial/registries.ts';

/** 16:9, the largest first: the usual pictures of calls and streams. */
const sizes = [
  [1280, 720],
  [960, 540],
  [640, 360],
  [480, 270],
  [320, 180],
] as const;

/** Undefined where no size makes it small enough, or where the definition has no such stream. */
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
      if (error instanceof CoexistError) return undefined; // its stream has no frames to make smaller
      throw error;
    }
  }
  return undefined;
}
