/** Files that are whole or not there. */
import { closeSync, fsyncSync, openSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { writeError } from '../errors.ts';
import { giveMade } from './ownership.ts';

/** `isFlushed`: false where it can be made again, after a loss of power too; each flush waits for the disk. */
type WholeOptions = { isFlushed?: boolean };

/**
 * Writes a file beside its place and moves it there; what is there, perhaps a link, is replaced. `content`: a text, or
 * pieces where it is longer than one text may be. Throws what to do where it cannot.
 */
export function writeWhole(
  path: string,
  content: string | Iterable<string | Uint8Array>,
  { isFlushed = true }: WholeOptions = {},
): void {
  const next = `${path}.next`;
  try {
    // one that a kill left goes first, and so does a link of that name, which would lead the text elsewhere
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
      rmSync(next, { force: true }); // half of it would fill a disk that is full
      throw error;
    }
  } catch (error) {
    throw writeError(error, path);
  }
}
