/** Reads the definition that the plan of a run folder contains. */
import { CoexistError } from '../../core/errors.ts';
import { isTree } from '../definition/set.ts';

/**
 * Returns the definition in a plan. Throws `bad-run-folder` if the plan has none, since the folder may come from a
 * stranger.
 */
export function keptDefinition<D extends object>(
  { study, definition }: { study: string; definition: D },
  path: string,
  noun: string,
): { study: string; definition: D } {
  if (typeof study !== 'string' || !isTree(definition))
    throw new CoexistError('bad-run-folder', `the plan in ${path} has no definition`, { hint: `run the ${noun} anew` });
  return { study, definition };
}

/**
 * Returns the definition in a plan, with the changes by which the user altered it. Throws `bad-run-folder` as
 * `keptDefinition` does, or if the changes are no list of texts.
 */
export function keptWithChanges<D extends object>(
  kept: { study: string; definition: D; changes?: readonly string[] },
  path: string,
): { study: string; definition: D; changes: readonly string[] } {
  const { changes = [] } = kept;
  const own = keptDefinition(kept, path, 'study');
  if (!Array.isArray(changes) || changes.some(change => typeof change !== 'string'))
    throw new CoexistError('bad-run-folder', `the changes in the plan of ${path} are no list of texts`, {
      hint: 'run the study anew',
    });
  return { ...own, changes };
}
