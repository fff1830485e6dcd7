/** Files that are whole or not there. */
import { renameSync, writeFileSync } from 'node:fs';
import { writeError } from '../../core/errors.ts';

/** Writes a file beside its place and moves it there. Throws what to do where it cannot. */
export function writeWhole(path: string, text: string): void {
  try {
    writeFileSync(`${path}.next`, text, { flush: true });
    renameSync(`${path}.next`, path);
  } catch (error) {
    throw writeError(error, path);
  }
}
