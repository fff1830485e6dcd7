/** Writes files atomically: at every moment the file is complete or does not exist. */
import { closeSync, fsyncSync, openSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { writeError } from '../errors.ts';
import { giveMade } from './ownership.ts';

/**
 * `isFlushed`: false for a file that can be made again after a loss of power. By default the data is flushed to the
 * disk, for which the call waits.
 */
type WholeOptions = { isFlushed?: boolean };

/**
 * Writes `content` to a temporary file in the same folder and renames it to `path`; this replaces an existing file or
 * link. `content`: a text, or several pieces if the text is longer than a string can be. Throws an error with a remedy
 * if writing fails.
 */
export function writeWhole(
  path: string,
  content: string | Iterable<string | Uint8Array>,
  { isFlushed = true }: WholeOptions = {},
): void {
  const next = `${path}.next`;
  try {
    // removes the temporary file of a killed process, or a link with this name, through which the text would go
    // elsewhere
    rmSync(next, { force: true });
    const file = openSync(next, 'wx');
    try {
      try {
        for (const piece of typeof content === 'string' ? [content] : content) writeFileSync(file, piece);
        if (isFlushed) fsyncSync(file);
      } finally {
        closeSync(file);
      }
      giveMade(next);
      renameSync(next, path);
    } catch (error) {
      rmSync(next, { force: true }); // an incomplete file would take room on a full disk
      throw error;
    }
  } catch (error) {
    throw writeError(error, path);
  }
}
