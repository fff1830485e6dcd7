import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Unwrapper } from '../../../../server/rtp/sequence.ts';

const unwrapAll = (bits: number, values: number[]) => {
  const unwrapper = new Unwrapper(bits);
  return values.map(value => unwrapper.unwrap(value));
};

test('numbers go on growing where the counter wraps', () => {
  assert.deepEqual(unwrapAll(16, [65534, 65535, 0, 1]), [65534, 65535, 65536, 65537]);
  assert.deepEqual(unwrapAll(8, [250, 5, 250, 5]), [250, 261, 250, 261]);
});

test('a value that comes late keeps its place, on both sides of a wrap', () => {
  assert.deepEqual(unwrapAll(16, [10, 12, 11, 13]), [10, 12, 11, 13]);
  assert.deepEqual(unwrapAll(16, [65535, 1, 0, 65534, 2]), [65535, 65537, 65536, 65534, 65538]);
});

test('a late value before the first one is negative', () => {
  assert.deepEqual(unwrapAll(16, [0, 65535]), [0, -1]);
});

test('a step of half the range or more is taken as one back', () => {
  assert.deepEqual(unwrapAll(16, [0, 32767]), [0, 32767]);
  assert.deepEqual(unwrapAll(16, [0, 32768]), [0, -32768]);
});

test('lateness is measured from the newest, not from the last', () => {
  assert.deepEqual(unwrapAll(16, [30000, 60000, 30000, 24463]), [30000, 60000, 30000, 65536 + 24463]);
});

test('many wraps', () => {
  const unwrapper = new Unwrapper(16);
  for (let sequence = 0; sequence < 5 * 65536; sequence += 1000)
    assert.equal(unwrapper.unwrap(sequence & 0xffff), sequence);
});

test('looking at a value does not move the newest', () => {
  const unwrapper = new Unwrapper(16);
  assert.equal(unwrapper.peek(65000), 65000);
  assert.equal(unwrapper.unwrap(65535), 65535);
  for (let i = 0; i < 5; i++) assert.equal(unwrapper.peek(30000), 65536 + 30000);
  assert.equal(unwrapper.unwrap(0), 65536);
});
