import assert from 'node:assert/strict';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { incompressible, pieceBytes } from '../../../../../harness/services/shared/incompressible.ts';

test('as long as asked for, the same each time, from any place', () => {
  for (const offset of [0, 1, 12_345_678, 2 ** 40]) {
    assert.equal(incompressible(offset, pieceBytes).length, pieceBytes);
    assert.deepEqual(incompressible(offset, 100), incompressible(offset, 100));
  }
  assert.ok(incompressible(1, 10).equals(incompressible(0, 11).subarray(1)));
});

test('cannot be compressed', () => {
  const bytes = incompressible(0, pieceBytes);
  assert.ok(gzipSync(bytes).length > bytes.length);
});
