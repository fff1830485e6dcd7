/**
 * How deep a value of somebody else's JSON is nested. V8 reads any number of brackets, and what goes through such a
 * value by recursion (JSON.stringify, a comparison) ends with a full stack.
 */
import { CoexistError } from './errors.ts';

/** Files of ours have fewer than 20. */
const mostLevels = 64;

/** Throws `bad-run-folder` where some value is nested deeper. `what`: the file, for people. */
export function requireShallow(value: unknown, what: string, hint?: string): void {
  let level = [value];
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > mostLevels)
      throw new CoexistError('bad-run-folder', `${what} is nested more than ${mostLevels} levels deep`, { hint });
    level = level.flatMap(one => (typeof one === 'object' && one !== null ? Object.values(one) : []));
  }
}
