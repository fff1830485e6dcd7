import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { PacketResult } from '../../../../../server/congestion/controller.ts';
import { LostPackets } from '../../../../../server/congestion/shared/lost-packets.ts';

const rttMs = 100;

/** Returns packets by sequence number; the numbers in `missing` are reported missing. */
function report(sequences: readonly number[], missing: readonly number[] = []): PacketResult[] {
  return sequences.map(sequence => ({
    sequence,
    sentMs: sequence,
    sizeBytes: 1000,
    kind: 'media',
    inFlightBytes: 1000,
    receivedMs: missing.includes(sequence) ? null : sequence + 20,
  }));
}

test('without reordering a packet reported missing is lost at once, and once', () => {
  const lost = new LostPackets();
  assert.equal(lost.onFeedback(report([1, 2, 3, 4], [2, 3]), rttMs, 50), 2);
  assert.equal(lost.onFeedback(report([5, 6]), rttMs, 100), 0);
  assert.equal(lost.onFeedback(report([2, 7], [2]), rttMs, 150), 0);
});

test('a packet that came late opens the reordering window: the next is waited for as long', () => {
  const lost = new LostPackets();
  lost.onFeedback(report([1, 2], [1]), rttMs, 50);
  assert.equal(lost.onFeedback(report([1, 3]), rttMs, 90), 0);
  assert.equal(lost.reorderingMs, 40);
  assert.equal(lost.onFeedback(report([4, 5], [4]), rttMs, 200), 0);
  assert.equal(lost.onFeedback(report([6]), rttMs, 239), 0);
  assert.equal(lost.onFeedback(report([7]), rttMs, 240), 1);
});

test('a packet that comes within the window is not lost', () => {
  const lost = new LostPackets();
  lost.onFeedback(report([1, 2], [1]), rttMs, 0);
  lost.onFeedback(report([1]), rttMs, 60);
  assert.equal(lost.onFeedback(report([4, 5], [4]), rttMs, 100), 0);
  assert.equal(lost.onFeedback(report([4, 6]), rttMs, 150), 0);
  assert.equal(lost.reorderingMs, 50);
  assert.equal(lost.onFeedback(report([7]), rttMs, 400), 0);
});

test('the window is at most a smoothed round trip', () => {
  const lost = new LostPackets();
  lost.onFeedback(report([1, 2], [1]), rttMs, 0);
  lost.onFeedback(report([1]), rttMs, 900);
  assert.equal(lost.reorderingMs, rttMs);
});

test('after five seconds a lost packet is forgotten: its arrival says nothing', () => {
  const lost = new LostPackets();
  lost.onFeedback(report([1, 2], [1]), rttMs, 0);
  lost.onFeedback(report([3]), rttMs, 5001);
  lost.onFeedback(report([1]), rttMs, 5060);
  assert.equal(lost.reorderingMs, 0);
});
