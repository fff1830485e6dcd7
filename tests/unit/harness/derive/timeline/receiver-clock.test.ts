import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fitReceiverClock } from '../../../../../harness/derive/timeline/receiver-clock.ts';

test('the offset is the median difference, however wrong some pictures are', () => {
  const pictures = [-0.25, 0, 0, 0.25, 0, 300, 0].map((error, i) => ({ lastPacketMs: 1000 * i, receiveMs: 1000 * i + 50_000 + error }));
  assert.deepEqual(fitReceiverClock(pictures), { offsetMs: 50_000, spreadMs: 0.0625, pictures: 7 });
});

test('few pictures tell nothing', () => {
  assert.equal(fitReceiverClock([1, 2, 3, 4].map(ms => ({ lastPacketMs: ms, receiveMs: ms }))), null);
});
