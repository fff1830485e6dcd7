/** The JSON files of a run folder, which may be somebody else's. */
import { CoexistError } from '../../core/errors.ts';
import { requireShallow } from '../../core/shallow.ts';
import { readRegularFile } from '../../core/system/regular-file.ts';

/** Room for many thousands of trials. */
const mostBytes = 2 ** 28;

/** What a file holds, unchecked. Throws `bad-run-folder` where it cannot be read. */
export function readJson<T>(path: string): T {
  const content = parsed(path);
  requireShallow(content, path, 'the file was changed or damaged: take the run from its copy');
  return content as T;
}

function parsed(path: string): unknown {
  try {
    return JSON.parse(readRegularFile(path, mostBytes));
  } catch (error) {
    if (error instanceof CoexistError) throw error; // it is no regular file, or too large
    throw new CoexistError('bad-run-folder', `${path} cannot be read`, {
      hint: 'give the folder of a run, the one that holds plan.json',
      cause: error,
    });
  }
}
