import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync, readlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { keepCoresAwake } from '../../../../core/system/awake-cores.ts';
import { temporaryFolder } from '../../harness/support/folder.ts';

const folder = temporaryFolder();
const holds = (path: string) =>
  readdirSync('/proc/self/fd').some(fd => {
    try {
      return readlinkSync(`/proc/self/fd/${fd}`) === path;
    } catch {
      return false; // descriptor of the folder that is being read
    }
  });

test('the file holds four bytes, 0 or 2 us, and is open until it is released', () => {
  const file = join(folder, 'latency');
  writeFileSync(file, '');
  const cores = keepCoresAwake(file);
  assert.equal(cores.areAwake, true);
  assert.ok([0, 2].includes(readFileSync(file).readInt32LE()));
  assert.equal(readFileSync(file).length, 4);
  assert.ok(holds(file));
  cores.release();
  cores.release();
  assert.ok(!holds(file));
});

test('where there is no such device nothing is made, and nothing is held', () => {
  const file = join(folder, 'none');
  const cores = keepCoresAwake(file);
  assert.equal(cores.areAwake, false);
  cores.release();
  assert.ok(!existsSync(file));
});
