/** The definition in the plan of a run folder. */
import { CoexistError } from '../../core/errors.ts';
import { isTree } from '../definition/set.ts';

/** The folder may be a stranger's. Throws `bad-run-folder` where its plan has no definition. */
export function keptDefinition<D extends object>(
  { study, definition }: { study: string; definition: D },
  path: string,
  noun: string,
): { study: string; definition: D } {
  if (typeof study !== 'string' || !isTree(definition))
    throw new CoexistError('bad-run-folder', `the plan in ${path} has no definition`, { hint: `run the ${noun} anew` });
  return { study, definition };
}
