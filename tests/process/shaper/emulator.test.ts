/** The core of coexist-link and its disciplines in virtual time: the C tests. Parsers under random input: tests/fuzz. */
import assert from 'node:assert/strict';
import { globSync } from 'node:fs';
import { basename } from 'node:path';
import { test } from 'node:test';
import { buildTests, linkSource, make, skip } from '../../unit/shaper/support/link-make.ts';

test('they build without a warning', { skip }, async () => {
  const { stdout, stderr } = await buildTests();
  assert.deepEqual([stdout, stderr], ['', '']);
});

test('the core does what its sources say', { skip }, async () => {
  const files = globSync(['tests/test-*.c', '../../aqm/*/tests/test-*.c'], { cwd: linkSource })
    .map(file => basename(file, '.c').slice('test-'.length))
    .sort();
  assert.ok(files.length >= 13);
  const { stdout, stderr } = await make('test');
  const passed = [...stdout.matchAll(/^ok ([\w-]+): (\d+)$/gm)];
  assert.deepEqual(passed.map(([, name]) => name).sort(), files, stdout + stderr);
  for (const [line, , count] of passed) assert.ok(Number(count) >= 4, line);
});
