/**
 * How many lists and objects a value of somebody else's JSON is in. V8 reads any number of brackets, and what goes
 * through such a value by recursion (JSON.stringify, a comparison) ends with a full stack.
 */

/** Files of ours have fewer than 20. */
export const mostBrackets = 64;

/** Whether some value is in more than `mostBrackets`. */
export function hasTooManyBrackets(value: unknown): boolean {
  let level = [value];
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > mostBrackets) return true;
    level = level.flatMap(one => (typeof one === 'object' && one !== null ? Object.values(one) : []));
  }
  return false;
}
