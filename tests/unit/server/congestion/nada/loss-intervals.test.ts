import assert from 'node:assert/strict';
import { test } from 'node:test';
import { LossIntervals } from '../../../../../server/congestion/nada/loss-intervals.ts';

const rttMs = 50;

/** Adds packets every 10 ms; an x in the text is a lost packet. */
function packets(intervals: LossIntervals, text: string, fromMs = 0): LossIntervals {
  for (const [i, fate] of [...text].entries()) intervals.add(fromMs + 10 * i, fate === 'x', rttMs);
  return intervals;
}
const good = (count: number) => '.'.repeat(count);

test('before the first loss there is no average', () => {
  assert.equal(packets(new LossIntervals(false), good(50)).averagePackets, undefined);
});

test('an interval goes from one loss to the next, the first from the start', () => {
  const intervals = packets(new LossIntervals(false), `${good(9)}x${good(19)}x`);
  assert.equal(intervals.averagePackets, (10 + 20) / 2);
  assert.equal(intervals.sinceLossPackets, 0);
  packets(intervals, good(7), 1000);
  assert.equal(intervals.sinceLossPackets, 7);
  assert.equal(intervals.averagePackets, 15, 'the open interval does not count');
});

test('losses within a round trip of the first are one event', () => {
  // 10 ms apart: the first x, at 90 ms, starts an event that lasts until 140 ms
  const intervals = packets(new LossIntervals(false), `${good(9)}x.xx.x`);
  // the last x is 50 ms after the first, so it starts another event
  assert.equal(intervals.averagePackets, (10 + 5) / 2);
  assert.equal(packets(new LossIntervals(false), `${good(9)}x.xx.`).averagePackets, 10);
  assert.equal(packets(new LossIntervals(false), `${good(9)}x.xx..`).sinceLossPackets, 2);
});

test('eight intervals count, the older four with falling weight', () => {
  // closed intervals, oldest first: 1000, 10 to 80
  const lengths = [1000, 10, 20, 30, 40, 50, 60, 70, 80];
  const intervals = packets(new LossIntervals(false), lengths.map(length => `${good(length - 1)}x`).join(''));
  const expected = (80 + 70 + 60 + 50 + 0.8 * 40 + 0.6 * 30 + 0.4 * 20 + 0.2 * 10) / 6;
  assert.ok(Math.abs(intervals.averagePackets! - expected) < 1e-9, `${intervals.averagePackets} is not ${expected}`);
});

test('to the letter of RFC 5348 the open interval counts where it lengthens the average', () => {
  const start = `${good(9)}x${good(19)}x`;
  assert.equal(packets(new LossIntervals(true), start + good(5)).averagePackets, 15);
  // an open interval of 100, then 20; the oldest interval is dropped
  assert.equal(packets(new LossIntervals(true), start + good(100)).averagePackets, (100 + 20) / 2);
});

test('... and then no time without loss is seven average intervals long', () => {
  const letter = packets(new LossIntervals(true), `${good(9)}x${good(100_000)}`);
  assert.ok(letter.sinceLossPackets < 7 * letter.averagePackets!);
  const closed = packets(new LossIntervals(false), `${good(9)}x${good(71)}`);
  assert.ok(closed.sinceLossPackets > 7 * closed.averagePackets!);
});
