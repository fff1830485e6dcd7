/** Making folders. */
import { existsSync, mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { giveMade } from './ownership.ts';

/**
 * Makes a folder and its missing parents; under sudo each new folder belongs to the owner of the folder it is made in.
 * Node's own recursive mkdir is not used: where the file system answers "no such file" to making a folder in one that
 * exists, as /proc does, Node 24 tries for ever, and this function throws.
 */
export function makeDirectory(path: string): void {
  if (existsSync(path)) return;
  const parent = dirname(path);
  if (parent !== path) makeDirectory(parent);
  mkdirSync(path);
  giveMade(path);
}
