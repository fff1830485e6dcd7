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
