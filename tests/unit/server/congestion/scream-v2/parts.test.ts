/** The small parts of SCReAMv2: averages, maxima, virtual marks, rates. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { AverageQueueDelay } from '../../../../../server/congestion/scream-v2/average-queue-delay.ts';
import { FlightMaxima } from '../../../../../server/congestion/scream-v2/flight-maxima.ts';
import { L4sAlpha } from '../../../../../server/congestion/scream-v2/l4s-alpha.ts';
import { mediaRateBps } from '../../../../../server/congestion/scream-v2/media-rate.ts';
import { pacingRateBps, sendWindowBytes } from '../../../../../server/congestion/scream-v2/pacing.ts';
import { virtualMarks } from '../../../../../server/congestion/scream-v2/virtual-marks.ts';
import { near } from '../gcc/near.ts';

test('average queue delay: a quarter up, all the way down, every 25 ms', () => {
  const average = new AverageQueueDelay();
  average.update(40, 100, 0);
  assert.equal(average.averageMs, 10);
  average.update(40, 100, 24);
  assert.equal(average.averageMs, 10);
  average.update(40, 100, 25);
  assert.equal(average.averageMs, 17.5);
  average.update(5, 100, 50);
  assert.equal(average.averageMs, 5);
});

test('average queue delay: on a short path every round trip', () => {
  const average = new AverageQueueDelay();
  average.update(40, 10, 0);
  average.update(40, 10, 10);
  assert.equal(average.averageMs, 17.5);
});

test('alpha: an eighth up, a hundred-and-twenty-eighth down, every 10 ms', () => {
  const alpha = new L4sAlpha();
  alpha.update(4, 2, 50, 0);
  near(alpha.alpha, 0.5 / 8);
  alpha.update(4, 4, 50, 5);
  near(alpha.alpha, 0.5 / 8);
  alpha.update(4, 0, 50, 10);
  near(alpha.alpha, 0.5 / 8 + (0.5 - 0.5 / 8) / 8, 'the packets of 5 ms count, too');
  const before = alpha.alpha;
  alpha.update(10, 0, 50, 20);
  near(alpha.alpha, (before * 127) / 128);
});

test('alpha: a message without arrivals says nothing of marks', () => {
  const alpha = new L4sAlpha();
  alpha.update(1, 1, 50, 0);
  alpha.update(0, 0, 50, 100);
  near(alpha.alpha, 1 / 8);
});

test('flight maxima: of this round trip and the last', () => {
  const maxima = new FlightMaxima();
  maxima.update(0, 100, 0);
  for (const bytes of [5000, 9000, 7000]) maxima.onSent(bytes);
  assert.deepEqual([maxima.bytes, maxima.previousBytes], [9000, 0]);
  maxima.update(2000, 100, 99);
  assert.equal(maxima.previousBytes, 0);
  maxima.update(2000, 100, 100);
  assert.deepEqual([maxima.bytes, maxima.previousBytes], [9000, 9000]);
  maxima.onSent(4000);
  maxima.update(1000, 100, 200);
  assert.deepEqual([maxima.bytes, maxima.previousBytes], [4000, 4000]);
});

/** 1 Mbit/s and 80 ms: ten segments per round trip, so two segments are a share of 0.2. */
const signal = {
  queueDelayMs: 45,
  averageQueueDelayMs: 45,
  queueDelayTargetMs: 60,
  l4sAlpha: 0,
  targetBps: 1e6,
  rttMs: 80,
};

test('virtual marks: from half the target on, twice the steady share at the target', () => {
  near(virtualMarks(signal), 2 * 0.2 * 0.5);
  near(virtualMarks({ ...signal, averageQueueDelayMs: 60 }), 0.4);
  near(virtualMarks({ ...signal, averageQueueDelayMs: 20 }), 0, 'the average lags behind');
  assert.equal(virtualMarks({ ...signal, queueDelayMs: 30 }), undefined);
});

test('virtual marks: never more than all packets; none where the path marks', () => {
  assert.equal(virtualMarks({ ...signal, averageQueueDelayMs: 500 }), 1);
  assert.equal(virtualMarks({ ...signal, l4sAlpha: 0.2 }), undefined);
  near(virtualMarks({ ...signal, l4sAlpha: 0.19 }), 0.2);
});

/** A window of 20 segments over 80 ms. */
const rate = {
  windowBytes: 20_000,
  segmentRatio: 0.05,
  rttMs: 80,
  queueDelayMs: 0,
  queueDelayTargetMs: 60,
  inFlightRatio: 2,
};

test("media rate: a window per round trip, less the packets' headers", () => {
  near(mediaRateBps(rate), (2e6 * 1000) / 1020);
});

test('media rate: with a queue, less what is in flight above nine tenths of the window, a third at most', () => {
  near(mediaRateBps({ ...rate, queueDelayMs: 15 }), (2e6 * 1000) / 1020);
  near(mediaRateBps({ ...rate, queueDelayMs: 16, inFlightRatio: 1.08 }), (2e6 * 1000) / 1020 / 1.2);
  near(mediaRateBps({ ...rate, queueDelayMs: 16 }), (2e6 * 1000) / 1020 / 1.5);
});

test('media rate: a window of few segments gives less, by a fifth at most', () => {
  near(mediaRateBps({ ...rate, segmentRatio: 0.25 }), ((2e6 * 1000) / 1020) * 0.85);
  near(mediaRateBps({ ...rate, segmentRatio: 0.5 }), ((2e6 * 1000) / 1020) * 0.8);
});

test('pacing is half as fast again as the target, 75 kbit/s at least; five windows may be in flight', () => {
  assert.equal(pacingRateBps(1e6), 1.5e6);
  assert.equal(pacingRateBps(10e3), 75e3);
  assert.equal(sendWindowBytes(20_000), 100_000);
});
