import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { makeOwnFolder } from '../../../../core/system/folders.ts';
import { temporaryFolder } from '../../harness/support/folder.ts';

const parent = temporaryFolder();
const own = join(parent, 'own');
mkdirSync(own);

test('a folder is made below another one, with its parents', () => {
  for (const below of ['a/b', 'a/b', 'a/./c']) {
    const path = makeOwnFolder(own, below);
    assert.equal(path, join(own, below));
    assert.ok(existsSync(path));
  }
});

test('a name that leads out of it is refused', () => {
  for (const below of ['..', '../x', 'a/../../x', '/tmp/x', '', '.'])
    assert.throws(() => makeOwnFolder(own, below), { code: 'bad-run-folder', message: / is not in / }, below);
  assert.deepEqual(readdirSync(parent), ['own']);
});

test('a link on the way is refused, wherever it leads', () => {
  symlinkSync(own, join(own, 'a', 'back'));
  symlinkSync(join(parent, 'nothing'), join(own, 'dangling'));
  for (const below of ['a/back', 'a/back/x', 'dangling', 'dangling/x'])
    assert.throws(() => makeOwnFolder(own, below), { code: 'bad-run-folder', message: / is a link, / }, below);
  assert.ok(!existsSync(join(own, 'x')));
});

test('what cannot be made is named', () => {
  assert.throws(() => makeOwnFolder('/proc', 'coexist'), { code: 'cannot-write', message: /\/proc\/coexist / });
});
