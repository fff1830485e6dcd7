/** Making folders. */
import { existsSync, lstatSync, mkdirSync } from 'node:fs';
import { dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';
import { CoexistError, writeError } from '../errors.ts';
import { giveMade } from './ownership.ts';

/**
 * Makes a folder and its missing parents; under sudo each new folder belongs to the owner of the folder it is made in.
 * Node's own recursive mkdir is not used: where the file system answers "no such file" to making a folder in one that
 * exists, as /proc does, Node 24 tries for ever, and this function throws.
 */
export function makeFolder(path: string): void {
  if (existsSync(path)) return;
  const parent = dirname(path);
  if (parent !== path) makeFolder(parent);
  mkdirSync(path);
  giveMade(path);
}

/** Whether a path lies below a folder by its words; both are whole. */
export function isInside(folder: string, path: string): boolean {
  const below = relative(folder, path);
  return below !== '' && !below.startsWith('..') && !isAbsolute(below);
}

/**
 * Makes a folder below another one, which may be somebody else's: its names and links must not lead out of it, because
 * root writes there. Returns its path. Throws `bad-run-folder` where they do, or what to do where it cannot be made.
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
