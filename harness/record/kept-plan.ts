/**
 * Checks the plan of a run folder before the study is continued. plan.json may come from a stranger, so the plan is
 * computed again from its definition, through every schema, and must be equal to the one in plan.json.
 */
import { isDeepStrictEqual } from 'node:util';
import { CoexistError } from '../../core/errors.ts';
import { shownValue } from '../../core/text/shown-value.ts';

type Difference = { path: string; made: unknown; kept: unknown };

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;

/**
 * Returns the first difference between two values, with its path: "conditions.0.link.rateBps". Undefined if the values
 * are equal.
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

/** Returns the value as it would be read from a JSON file to which it was written. */
export const asKept = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

/**
 * Returns `made`, the plan as computed from its definition. Throws `bad-run-folder` with the first difference if
 * `kept`, the plan in plan.json, differs. `folder`: the run folder, for the message.
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
