/** A copy of the repository into which "npm run new" writes skeletons of every kind. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { cpSync, symlinkSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { projectRoot as root } from '../../../core/system/paths.ts';
import { kindNames, skeletonFiles } from '../../../harness/cli/skeletons/skeleton.ts';
import { temporaryFolder } from '../../unit/harness/support/folder.ts';
import type { CommandEnd, CommandServer } from '../../unit/support/commands.ts';

export const copy = join(temporaryFolder(), 'coexist');

/** Returns true for a source: built files are left out. */
const isSource = (path: string) =>
  !relative(root, path)
    .split('/')
    .some(word => word === 'build' || word === 'target');
for (const part of [
  'core',
  'harness',
  'server',
  'client',
  'shaper',
  'reports',
  'tests',
  'biome.json',
  'package.json',
  'tsconfig.json',
])
  cpSync(join(root, part), join(copy, part), { recursive: true, filter: isSource });
symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'));

/**
 * Environment of a command in the copy, as in a new shell: a test runner inside a test runner would otherwise report to the
 * outer one.
 */
export function inCopy(...words: string[]) {
  const { NODE_TEST_CONTEXT: _, ...env } = process.env;
  return spawnSync(process.execPath, ['--disable-warning=ExperimentalWarning', ...words], {
    cwd: copy,
    env,
    encoding: 'utf8',
    timeout: 240_000,
  });
}

/** The file of tests/contract of each kind. */
export const contracts: Record<string, string> = {
  controller: 'controllers',
  service: 'services',
  aqm: 'aqms',
  metric: 'metrics',
  section: 'sections',
};
/** Other tests that every plug-in of a kind has to pass, and the name of one, so that it is seen to have run. */
export const shared: Record<string, { file: string; says: string }> = {
  controller: { file: 'tests/sim/drucker.test.ts', says: 'the 24 links are used' },
};
export const id = 'made-anew';

/** Each with an id of its own, so that no two have files in common. */
export const idOf = (kind: string) => `${id}-${kind}`;
export const pathsOf = (kind: string, own = idOf(kind)) => Object.keys(skeletonFiles(kind, own));
export const folderOf = (kind: string) => dirname(pathsOf(kind).find(path => path.endsWith('/index.ts'))!);
export const longId = (kind: string) => `${idOf(kind)}-with-a-name-that-is-too-long-for-many-lines`;
/** The TypeScript files of all of them. */
export const sources = kindNames()
  .flatMap(kind => [...pathsOf(kind), ...pathsOf(kind, longId(kind))])
  .filter(path => path.endsWith('.ts'));

/** Writes two skeletons of every kind, the second with a long id. Returns what was told of the first of each. */
export async function writeAll(cli: CommandServer): Promise<Record<string, CommandEnd>> {
  const written: Record<string, CommandEnd> = {};
  for (const kind of kindNames()) {
    written[kind] = await cli.ask(['new', kind, idOf(kind)]);
    assert.equal((await cli.ask(['new', kind, longId(kind)])).status, 0);
  }
  return written;
}
