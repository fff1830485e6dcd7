import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { removeLeftovers } from '../../runner/leftovers.ts';
import { testFolder, testName } from '../../runner/test-names.ts';
import { temporaryFolder } from '../../unit/harness/support/folder.ts';

const isRoot = process.getuid?.() === 0;
const folder = temporaryFolder();
const { TMPDIR: before } = process.env;
process.env.TMPDIR = folder;
after(() => {
  if (before === undefined) delete process.env.TMPDIR;
  else process.env.TMPDIR = before;
});

/** Id of a process that has ended. */
const ended = spawnSync('true').pid;

test('what tests left that no longer run is removed, and nothing else', () => {
  const [own, other] = [testFolder(), join(folder, 'coexist-test-of-a-user')];
  mkdirSync(other);
  const left = join(folder, `coexist-test-${ended}-abcdef`);
  mkdirSync(join(left, 'in-it'), { recursive: true });
  writeFileSync(join(left, 'in-it', 'file'), '');
  assert.deepEqual(
    removeLeftovers().filter(name => name.endsWith('-abcdef')),
    [`coexist-test-${ended}-abcdef`],
  );
  assert.deepEqual([own, other, left].map(existsSync), [true, true, false]);
});

test('so are their namespaces', { skip: isRoot ? false : 'needs root, to make a network namespace' }, () => {
  const ip = (...words: string[]) => assert.equal(spawnSync('ip', ['netns', ...words]).status, 0);
  const [own, left] = [testName(), `coexist-test-${ended}-fedcba-machine`];
  ip('add', own);
  try {
    ip('add', left);
    assert.ok(removeLeftovers().includes(left));
    assert.deepEqual(
      [own, left].map(name => existsSync(`/run/netns/${name}`)),
      [true, false],
    );
  } finally {
    ip('delete', own);
  }
});
