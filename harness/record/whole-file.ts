/** Files that are whole or not there. */
import { closeSync, fsyncSync, openSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { writeError } from '../../core/errors.ts';
import { giveMade } from '../../core/ownership.ts';

/**
 * Writes a file beside its place and moves it there; what is there, perhaps a link, is replaced. `content`: a text, or
 * pieces where it is longer than one text may be. Throws what to do where it cannot.
 */
export function writeWhole(path: string, content: string | Iterable<string | Uint8Array>): void {
  const next = `${path}.next`;
  try {
    // one that a kill left goes first, and so does a link of that name, which would lead the text elsewhere
    rmSync(next, { force: true });
    const file = openSync(next, 'wx');
    try {
      for (const piece of typeof content === 'string' ? [content] : content) writeFileSync(file, piece);
      fsyncSync(file);
    } catch (error) {
      rmSync(next, { force: true }); // half of it would fill a disk that is full
      throw error;
    } finally {
      closeSync(file);
    }
    giveMade(next);
    renameSync(next, path);
  } catch (error) {
    throw writeError(error, path);
  }
}
