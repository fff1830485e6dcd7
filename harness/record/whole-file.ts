/** Files that are whole or not there. */
import { renameSync, rmSync, writeFileSync } from 'node:fs';
import { writeError } from '../../core/errors.ts';
import { giveMade } from '../../core/ownership.ts';

/** Writes a file beside its place and moves it there. Throws what to do where it cannot. */
export function writeWhole(path: string, text: string): void {
  try {
    // one that a kill left goes first, and so does a link of that name, which would lead the text elsewhere
    rmSync(`${path}.next`, { force: true });
    writeFileSync(`${path}.next`, text, { flag: 'wx', flush: true });
    giveMade(`${path}.next`);
    renameSync(`${path}.next`, path);
  } catch (error) {
    throw writeError(error, path);
  }
}
