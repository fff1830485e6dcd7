/** Writes files that are either complete or absent. */
import { rename, rm } from 'node:fs/promises';
import { CoexistError, writeError } from '../../core/errors.ts';

/**
 * Calls `write` with a temporary path in the folder of `file`, and renames the temporary file to `file` when it is
 * complete. Removes the temporary file if `write` fails.
 */
export async function putWhole(
  file: string,
  extension: string,
  write: (partial: string) => Promise<void>,
): Promise<void> {
  const partial = `${file}.${process.pid}.partial${extension}`;
  try {
    await write(partial);
    await rename(partial, file);
  } catch (error) {
    await rm(partial, { force: true }).catch(() => {}); // only the first error is thrown
    throw error instanceof CoexistError ? error : writeError(error, file);
  }
}
