/**
 * Limits the nesting depth of JSON that other people wrote. V8 parses brackets of any depth, but recursion over a deep
 * value (JSON.stringify, a comparison) overflows the stack.
 */
import { CoexistError } from './errors.ts';

/** Maximum nesting depth. Files that Coexist writes have fewer than 20 levels. */
const mostLevels = 64;

/** Throws `bad-run-folder` if the value is nested deeper than the maximum. `what`: name of the file in the message. */
export function requireShallow(value: unknown, what: string, hint?: string): void {
  let level = [value];
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > mostLevels)
      throw new CoexistError('bad-run-folder', `${what} is nested more than ${mostLevels} levels deep`, { hint });
    level = level.flatMap(one => (typeof one === 'object' && one !== null ? Object.values(one) : []));
  }
}
