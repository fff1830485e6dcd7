import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fitReceiverClock } from '../../../../../../harness/analysis/derive/timeline/receiver-clock.ts';

test('the offset is the median difference, however wrong some frames are', () => {
  const frames = [-0.25, 0, 0, 0.25, 0, 300, 0].map((error, i) => ({
    lastPacketMs: 1000 * i,
    receiveMs: 1000 * i + 50_000 + error,
  }));
  assert.deepEqual(fitReceiverClock(frames), { offsetMs: 50_000, spreadMs: 0.0625, frames: 7 });
});

test('few frames tell nothing', () => {
  assert.equal(fitReceiverClock([1, 2, 3, 4].map(ms => ({ lastPacketMs: ms, receiveMs: ms }))), null);
});
