/**
 * Names of folders and network namespaces of tests. They have the id of the process that made them, so that those of
 * tests that were killed can be found (leftovers.ts).
 */
import { randomBytes } from 'node:crypto';
import { mkdirSync, realpathSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Returns a new name for a folder or a namespace of a test. */
export const testName = (): string => `coexist-test-${process.pid}-${randomBytes(3).toString('hex')}`;

/** Returns the id of the process that made a name; undefined if it is not the name of a test's folder or namespace. */
export function makerOf(name: string): number | undefined {
  const pid = /^coexist-test-(\d+)-/.exec(name)?.[1];
  return pid === undefined ? undefined : Number(pid);
}

/** Makes a new folder for a test. Returns its path, without symbolic links. */
export function testFolder(): string {
  const path = join(realpathSync(tmpdir()), testName());
  mkdirSync(path, { mode: 0o700 });
  return path;
}
