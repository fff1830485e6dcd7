/** Making folders. */
import { existsSync, mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { giveMade } from './ownership.ts';

/**
 * Makes a folder and those above it that are missing; under sudo they belong to whose folder they are made in. Unlike Node's own recursive mkdir it ends where the file system
 * answers "no such file" to making a folder in one that exists, as /proc does; there Node 24 tries for ever.
 */
export function makeDirectory(path: string): void {
  if (existsSync(path)) return;
  const parent = dirname(path);
  if (parent !== path) makeDirectory(parent);
  mkdirSync(path);
  giveMade(path);
}
