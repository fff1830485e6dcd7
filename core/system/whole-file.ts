/** Writes files atomically: a file is complete or does not exist. */
import { closeSync, fsyncSync, openSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { writeError } from '../errors.ts';
import { giveMade } from './ownership.ts';

/** `isFlushed`: false for a file that can be made again, even after a loss of power. Each flush waits for the disk. */
type WholeOptions = { isFlushed?: boolean };

/**
 * Writes a temporary file in the same folder and renames it to `path`; an existing file or link is replaced. `content`:
 * a text, or pieces if it exceeds the maximum length of a string. Throws an error with a remedy if writing fails.
 */
export function writeWhole(
  path: string,
  content: string | Iterable<string | Uint8Array>,
  { isFlushed = true }: WholeOptions = {},
): void {
  const next = `${path}.next`;
  try {
    // removes the file of a killed process, or a link of this name, which would redirect the text
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
      rmSync(next, { force: true }); // a partial file would fill a disk that is full
      throw error;
    }
  } catch (error) {
    throw writeError(error, path);
  }
}
