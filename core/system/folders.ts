/** Makes folders, also inside a folder that belongs to another person. */
import { existsSync, lstatSync, mkdirSync } from 'node:fs';
import { dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';
import { CoexistError, writeError } from '../errors.ts';
import { giveMade } from './ownership.ts';

/**
 * Makes a folder and its missing parents. Under sudo each new folder gets the owner of its parent. Node's recursive
 * mkdir is not used, because Node 24 retries it for ever on file systems such as /proc, which answer "no such file" to
 * mkdir in an existing folder. This function throws instead.
 */
export function makeFolder(path: string): void {
  if (existsSync(path)) return;
  const parent = dirname(path);
  if (parent !== path) makeFolder(parent);
  mkdirSync(path);
  giveMade(path);
}

/** True if `path` lies below `folder`, judged by the text of the two paths. Both must be absolute. */
export function isInside(folder: string, path: string): boolean {
  const below = relative(folder, path);
  return below !== '' && !below.startsWith('..') && !isAbsolute(below);
}

/**
 * Makes the folder `below` inside `folder` and returns its path. `folder` may belong to somebody else, and root writes
 * there, so the names and links of the new path must not lead out of `folder`. Throws `bad-run-folder` if they do, or
 * an error with a remedy if the folder cannot be made.
 */
export function makeOwnFolder(folder: string, below: string): string {
  const path = resolve(folder, below);
  if (!isInside(resolve(folder), path))
    throw new CoexistError('bad-run-folder', `${path} is not in ${folder}`, {
      hint: 'a file of that folder was changed or damaged: do not use it',
    });
  let part = resolve(folder);
  for (const name of relative(part, path).split(sep)) {
    part = join(part, name);
    if (lstatSync(part, { throwIfNoEntry: false })?.isSymbolicLink() === true)
      throw new CoexistError('bad-run-folder', `${part} is a link, which leads out of ${folder}`, {
        hint: 'remove it',
      });
    try {
      makeFolder(part);
    } catch (error) {
      throw writeError(error, part);
    }
  }
  return path;
}
