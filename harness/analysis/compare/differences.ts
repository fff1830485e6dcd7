/** Differences between two descriptions, such as the plans or the versions of two runs, path by path. */

export type Difference = { path: string; a: string; b: string };

/** Stands for a value that only the other description has. */
export const notThere = 'not there';

type Leaves = Map<string, string>;

function collect(value: unknown, path: string, leaves: Leaves): Leaves {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
    for (const [key, inner] of Object.entries(value)) collect(inner, path === '' ? key : `${path}.${key}`, leaves);
  } else if (value !== undefined)
    leaves.set(path, value === null ? 'none' : typeof value === 'string' ? value : JSON.stringify(value));
  return leaves;
}

/**
 * Returns all paths with different values: first the paths of `a` in the order of `a`, then the others. A value that
 * only one side has is `notThere` in the other.
 */
export function differences(a: unknown, b: unknown, under = ''): Difference[] {
  const [left, right] = [collect(a, under, new Map()), collect(b, under, new Map())];
  return [...new Set([...left.keys(), ...right.keys()])].flatMap(path => {
    const [own, other] = [left.get(path), right.get(path)];
    return own === other ? [] : [{ path, a: own ?? notThere, b: other ?? notThere }];
  });
}
