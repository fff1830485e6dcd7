/**
 * How many lists and objects a value of somebody else's JSON is in. V8 reads any number of brackets, and what goes
 * through such a value by recursion (JSON.stringify, a comparison) ends with a full stack.
 */
import { CoexistError } from './errors.ts';

/** Files of ours have fewer than 20. */
const mostBrackets = 64;

/** Throws `bad-run-folder` where some value is in more. `what`: the file, for people. */
export function requireFewBrackets(value: unknown, what: string, hint?: string): void {
  let level = [value];
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > mostBrackets)
      throw new CoexistError('bad-run-folder', `${what} has a value in more than ${mostBrackets} brackets`, { hint });
    level = level.flatMap(one => (typeof one === 'object' && one !== null ? Object.values(one) : []));
  }
}
