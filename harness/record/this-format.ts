/** Checks that a file of a run folder has the format of this version of Coexist. */
import { CoexistError } from '../../core/errors.ts';
import { shownValue } from '../../core/text/shown-value.ts';

/** Returns `content` if its format, `format`, is the wanted one. Throws `bad-run-folder` otherwise. */
export function ofThisFormat<T>(content: T | null, format: unknown, wanted: unknown, path: string): T {
  if (content !== null && format === wanted) return content;
  throw new CoexistError(
    'bad-run-folder',
    `${path} is not of this version: its format is ${shownValue(format)}, not ${shownValue(wanted)}`,
    { hint: 'give a folder that this version of Coexist wrote, or use the version that wrote it' },
  );
}
