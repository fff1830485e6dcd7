/** Reads JSON files of a run folder, which may come from a stranger. */
import { CoexistError } from '../../core/errors.ts';
import { requireShallow } from '../../core/shallow.ts';
import { readRegularFile } from '../../core/system/regular-file.ts';

/** Maximum size of a JSON file that is read, bytes: enough for many thousands of trials. */
const mostBytes = 2 ** 28;

/**
 * Returns the content of a JSON file. The caller checks the content. Throws `bad-run-folder` if the file cannot be read
 * or is not JSON.
 */
export function readJson<T>(path: string): T {
  const content = parsed(path);
  requireShallow(content, path, 'the file was changed or damaged: take the run from its copy');
  return content as T;
}

function parsed(path: string): unknown {
  try {
    return JSON.parse(readRegularFile(path, mostBytes));
  } catch (error) {
    if (error instanceof CoexistError) throw error; // not a regular file, or too large
    throw new CoexistError('bad-run-folder', `${path} cannot be read`, {
      hint: 'give the folder of a run, the one that holds plan.json',
      cause: error,
    });
  }
}
