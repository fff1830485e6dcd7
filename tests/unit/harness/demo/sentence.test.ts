import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isFrozen, sentenceOf } from '../../../../harness/demo/sentence.ts';

const view = { lost: false, sinceLastMs: 12, framesPerSecond: 59.94 };

test('what the viewer sees, in one sentence', () => {
  assert.equal(sentenceOf(view, 8.42), '59.9 frames per second, 8.4 ms round trip');
  assert.equal(sentenceOf(view, 0.0561), '59.9 frames per second, 0.06 ms round trip');
  assert.equal(sentenceOf(view, 304.2), '59.9 frames per second, 304 ms round trip');
  assert.equal(sentenceOf(view, null), '59.9 frames per second, no probe comes back');
  assert.equal(sentenceOf(view), '59.9 frames per second');
  assert.equal(sentenceOf({ ...view, sinceLastMs: 640 }, 310), 'Frozen for 0.6 s');
  assert.equal(sentenceOf({ ...view, sinceLastMs: null }, 8), 'No picture yet');
  assert.equal(sentenceOf({ ...view, lost: true, sinceLastMs: 9000 }, null), 'The connection has given up');
});

test('frozen is what the paper calls a stall', () => {
  assert.deepEqual([null, 0, 200, 201].map(sinceLastMs => isFrozen({ sinceLastMs })), [false, false, false, true]);
});
