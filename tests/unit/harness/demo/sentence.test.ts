import assert from 'node:assert/strict';
import { test } from 'node:test';
import { conditionOf, isFrozen, sentenceOf } from '../../../../harness/demo/sentence.ts';
import type { View } from '../../../../harness/demo/sentence.ts';

const view: View = {
  lost: false,
  sinceLastMs: 12,
  framesPerSecond: 59.94,
  frameRate: 60,
  sinceStallMs: null,
  bitsPerPixel: 0.14,
};

test('what the viewer sees, in one sentence', () => {
  assert.equal(sentenceOf({ ...view, rttMs: 8.42 }), '59.9 frames per second, 8.4 ms round trip');
  assert.equal(sentenceOf({ ...view, rttMs: 0.0561 }), '59.9 frames per second, 0.06 ms round trip');
  assert.equal(sentenceOf({ ...view, rttMs: 304.2 }), 'Late: 59.9 frames per second, 304 ms round trip');
  assert.equal(sentenceOf({ ...view, rttMs: null }), '59.9 frames per second, no probe comes back');
  assert.equal(sentenceOf(view), '59.9 frames per second');
  assert.equal(sentenceOf({ ...view, sinceLastMs: 640, rttMs: 310 }), 'Frozen for 0.6 s');
  assert.equal(sentenceOf({ ...view, sinceLastMs: null, rttMs: 8 }), 'No frame yet');
  assert.equal(sentenceOf({ ...view, lost: true, sinceLastMs: 9000, rttMs: null }), 'The connection has given up');
});

test('mush with a round trip of 802 ms is not good, whatever its frame rate', () => {
  const mush = { ...view, framesPerSecond: 28.9, frameRate: 30, bitsPerPixel: 0.1e6 / (640 * 360 * 28.9), rttMs: 802 };
  assert.equal(conditionOf(mush), 'bad');
  assert.equal(sentenceOf(mush), 'Blurred, very late: 28.9 frames per second, 802 ms round trip');
});

test('the worst of frames, stalls, latency and quality decides', () => {
  const changes: [Partial<View>, string][] = [
    [{}, 'good'],
    [{ rttMs: 20 }, 'good'],
    [{ rttMs: 191 }, 'strained'],
    [{ rttMs: 401 }, 'bad'],
    [{ rttMs: null }, 'bad'],
    [{ framesPerSecond: 53 }, 'strained'],
    [{ framesPerSecond: 29 }, 'bad'],
    [{ bitsPerPixel: 0.04 }, 'strained'],
    [{ bitsPerPixel: 0.01 }, 'bad'],
    [{ bitsPerPixel: null }, 'good'],
    [{ sinceStallMs: 4000 }, 'bad'],
    [{ sinceStallMs: 6000 }, 'good'],
    [{ sinceLastMs: 201 }, 'bad'],
    [{ sinceLastMs: null }, 'bad'],
    [{ lost: true }, 'bad'],
  ];
  for (const [change, condition] of changes)
    assert.equal(conditionOf({ ...view, ...change }), condition, JSON.stringify(change));
});

test('frozen is what the paper calls a stall', () => {
  assert.deepEqual(
    [null, 0, 200, 201].map(sinceLastMs => isFrozen({ sinceLastMs })),
    [false, false, false, true],
  );
});
