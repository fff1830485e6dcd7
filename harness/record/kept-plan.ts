/**
 * The plan of a folder that is resumed. The content of plan.json is data, perhaps from somebody else: the plan is
 * computed anew from its definition, through every schema, and must come out the same.
 */
import { isDeepStrictEqual } from 'node:util';
import { CoexistError } from '../../core/errors.ts';
import { shownValue } from '../../core/text/shown-value.ts';

type Difference = { path: string; made: unknown; kept: unknown };

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;

/** The first place where two values differ, in words of a path: "conditions.0.link.rateBps". */
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

/** As it comes back from a file. */
export const asKept = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

/**
 * `made`: by this version, of what the folder's plan was made of. Throws `bad-run-folder` with the first difference
 * where `kept` is another.
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
