/** Files that are whole or not there. */
import { rename, rm } from 'node:fs/promises';
import { CoexistError, writeError } from '../../core/errors.ts';

/** Has `write` write a file beside `file` and puts it there when it is done; nothing is left of one that failed. */
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
    await rm(partial, { force: true }).catch(() => {}); // the first error is the one that counts
    throw error instanceof CoexistError ? error : writeError(error, file);
  }
}
