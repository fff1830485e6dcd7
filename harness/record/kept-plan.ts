/**
 * The plan of a folder that is resumed. plan.json may come from a stranger, so the plan is computed again from its
 * definition, through every schema, and must be equal.
 */
import { isDeepStrictEqual } from 'node:util';
import { CoexistError } from '../../core/errors.ts';
import { shownValue } from '../../core/text/shown-value.ts';

type Difference = { path: string; made: unknown; kept: unknown };

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;

/**
 * Returns the first difference of two values, with its path: "conditions.0.link.rateBps". Undefined if they are equal.
 */
function difference(made: unknown, kept: unknown, path: string[] = []): Difference | undefined {
  if (isDeepStrictEqual(made, kept)) return undefined;
  if (!isObject(made) || !isObject(kept) || Array.isArray(made) !== Array.isArray(kept))
    return { path: path.join('.'), made, kept };
  for (const key of new Set([...Object.keys(made), ...Object.keys(kept)])) {
    const found = difference(
      Object.hasOwn(made, key) ? made[key] : undefined,
      Object.hasOwn(kept, key) ? kept[key] : undefined,
      [...path, key],
    );
    if (found !== undefined) return found;
  }
  return { path: path.join('.'), made, kept };
}

/** Returns the value as it is after it was written to a file and read back. */
export const asKept = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

/**
 * Returns `made`, the plan as this version computes it. Throws `bad-run-folder` with the first difference if `kept`,
 * the plan of the folder, differs.
 */
export function requireSame<P>(made: P, kept: unknown, folder: string): P {
  const found = difference(asKept(made), kept);
  if (found === undefined) return made;
  throw new CoexistError(
    'bad-run-folder',
    `the plan in ${folder} is not what this version makes of its definition: ` +
      `${found.path} is ${shownValue(found.kept)}, not ${shownValue(found.made)}`,
    {
      hint: 'it was changed, or another version of Coexist wrote it: go on with that version, or run the study anew',
    },
  );
}
