import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { beforeEach, test } from 'node:test';
import { PassedFiles } from '../../runner/passed.ts';
import { Tree } from '../../runner/tree.ts';
import { temporaryFolder } from '../../unit/harness/support/folder.ts';

const folder = temporaryFolder();
const store = join(folder, 'passed.json');
const checkout = join(folder, 'checkout');
const file = 'tests/unit/a.test.ts';
const computes = { paths: ['core/a.ts', 'core', 'core/none.ts'], startsPrograms: false, lists: false };

function write(path: string, text: string): void {
  mkdirSync(dirname(join(checkout, path)), { recursive: true });
  writeFileSync(join(checkout, path), text);
}

/** As the next run of the tests would find it. */
const hasPassed = (one = file) => new PassedFiles(Tree.ofCheckout(checkout)!, store).has(one);

function pass(followed: typeof computes | undefined): void {
  const passed = new PassedFiles(Tree.ofCheckout(checkout)!, store);
  passed.set(file, followed);
  passed.save();
}

beforeEach(() => {
  rmSync(checkout, { recursive: true, force: true });
  rmSync(store, { force: true });
  for (const path of [
    file,
    'core/a.ts',
    'server/b.ts',
    'tests/unit/support/late.mjs',
    'docs/page.md',
    'package-lock.json',
  ])
    write(path, '1');
  execFileSync('git', ['init', '-q'], { cwd: checkout });
});

test('a file that has passed is known until something changes that it looked at', () => {
  assert.equal(hasPassed(), false);
  pass(computes);
  assert.equal(hasPassed(), true);
  assert.equal(hasPassed('tests/unit/b.test.ts'), false);
  write('server/b.ts', '2');
  assert.equal(hasPassed(), true, 'it did not look there');
  for (const path of ['core/a.ts', file, 'package-lock.json', 'core/new.ts', 'tests/runner/job.ts']) {
    pass(computes);
    write(path, `other ${path}`);
    assert.equal(hasPassed(), false, path);
  }
});

test('of a file that was not there, its coming is a change', () => {
  pass({ ...computes, paths: ['elsewhere/none.ts'] });
  assert.equal(hasPassed(), true);
  write('elsewhere/none.ts', '1');
  assert.equal(hasPassed(), false);
});

test('programs may look at every source, and at what the text of the test names', () => {
  const starts = { ...computes, startsPrograms: true };
  write(file, `run('../unit/support/late.mjs')`);
  for (const path of ['server/b.ts', 'tests/unit/support/late.mjs']) {
    pass(starts);
    assert.equal(hasPassed(), true);
    write(path, `other ${path}`);
    assert.equal(hasPassed(), false, path);
  }
  pass(starts);
  write('docs/page.md', '2');
  write('tests/unit/b.test.ts', '2');
  assert.equal(hasPassed(), true);
});

test('who lists files by a pattern sees each that comes', () => {
  pass({ ...computes, lists: true });
  write('docs/other.md', '1');
  assert.equal(hasPassed(), false);
});

test('one that failed later, or without a word of what it looked at, is not known', () => {
  pass(computes);
  pass(undefined);
  assert.equal(hasPassed(), false);
});

test('a store that is damaged is as none', () => {
  writeFileSync(store, '{"files":');
  assert.equal(hasPassed(), false);
});

test('a folder without git has no tree', () => {
  assert.equal(Tree.ofCheckout(folder), undefined);
});
