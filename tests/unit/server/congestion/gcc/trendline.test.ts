import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Trendline } from '../../../../../server/congestion/gcc/trendline.ts';
import { near } from './near.ts';

test('the trend is number of deltas x slope of the smoothed delay x 4', () => {
  const trendline = new Trendline(2);
  trendline.update(33, 30, 1000);
  assert.equal(trendline.modifiedTrendMs, 0);
  trendline.update(33, 30, 1033);
  // Delay 3, then 6 ms; smoothed 0.1 x 3 = 0.3, then 0.9 x 0.3 + 0.1 x 6 = 0.87.
  near(trendline.modifiedTrendMs, ((2 * (0.87 - 0.3)) / 33) * 4);
  trendline.update(33, 30, 1066);
  near(trendline.modifiedTrendMs, ((3 * (0.9 * 0.87 + 0.1 * 9 - 0.87)) / 33) * 4);
});

test('there is no slope until the window is full', () => {
  const trendline = new Trendline(20);
  for (let i = 0; i < 19; i++) trendline.update(40, 30, 40 * i);
  assert.equal(trendline.modifiedTrendMs, 0);
  trendline.update(40, 30, 40 * 19);
  // Delay 10 n, smoothed 10 n - 90 (1 - 0.9^n) for n = 1..20: a least-squares line through these.
  const points = Array.from({ length: 20 }, (_, i) => ({ x: 40 * i, y: 10 * (i + 1) - 90 * (1 - 0.9 ** (i + 1)) }));
  const meanX = 40 * 9.5;
  const meanY = points.reduce((sum, { y }) => sum + y, 0) / 20;
  const slope =
    points.reduce((sum, { x, y }) => sum + (x - meanX) * (y - meanY), 0) / ((40 ** 2 * 20 * (20 ** 2 - 1)) / 12);
  near(trendline.modifiedTrendMs, 20 * slope * 4);
});

test('samples that arrived at one time leave the slope as it was', () => {
  const trendline = new Trendline(2);
  trendline.update(33, 30, 1000);
  trendline.update(33, 30, 1033);
  const slope = trendline.modifiedTrendMs / 2;
  trendline.update(30, 30, 1033);
  near(trendline.modifiedTrendMs, 3 * slope);
});

test('the threshold follows a trend below it at 0.039 per ms, down to 6 ms', () => {
  const trendline = new Trendline(2);
  for (let i = 0; i < 3; i++) trendline.update(10, 10, 10 * i);
  near(trendline.thresholdMs, 12.5 + 0.039 * (0 - 12.5) * 10);
  trendline.update(10, 10, 30);
  near(trendline.thresholdMs, Math.max(6, (12.5 - 0.39 * 12.5) * (1 - 0.39)));
  assert.equal(trendline.thresholdMs, 6);
});

test('the threshold rises slowly with a trend above it, and not at all with a spike', () => {
  const trendline = new Trendline(2);
  // Smoothed delay 4 and 11.6 ms: slope 7.6 / 10, trend 2 x 0.76 x 4 = 6.08. The threshold has not changed yet.
  trendline.update(50, 10, 0);
  trendline.update(50, 10, 10);
  near(trendline.modifiedTrendMs, 6.08);
  assert.equal(trendline.thresholdMs, 12.5);
  // Smoothed 0.9 x 11.6 + 0.1 x 120 = 22.44: trend 3 x 1.084 x 4 = 13.008, above 12.5 by 0.508.
  trendline.update(50, 10, 20);
  near(trendline.modifiedTrendMs, 13.008);
  near(trendline.thresholdMs, 12.5 + 0.0087 * (13.008 - 12.5) * 10);
  // The next trend, 4 x (0.9 x 22.44 + 0.1 x 320 - 22.44) / 10 x 4 = 47.6, is more than 15 above: a spike.
  const before = trendline.thresholdMs;
  trendline.update(210, 10, 30);
  near(trendline.modifiedTrendMs, ((4 * (0.9 * 22.44 + 0.1 * 320 - 22.44)) / 10) * 4);
  assert.equal(trendline.thresholdMs, before);
});

/** Returns the usage after each update with growing delay; from the second on every trend is above the threshold. */
function usages(sendDeltaMs: number, growthMs: readonly number[]): string[] {
  const trendline = new Trendline(2);
  return growthMs.map((growth, i) => {
    trendline.update(sendDeltaMs + growth, sendDeltaMs, 10 * i);
    return trendline.usage;
  });
}

test('over-use needs more than 10 ms of sending above the threshold, counted twice', () => {
  // 8/2 = 4 ms, then 4 + 8 = 12 > 10.
  assert.deepEqual(usages(8, [200, 200, 200, 200]), ['normal', 'normal', 'overuse', 'overuse']);
  // 30/2 = 15 > 10, but only one delta is above the threshold.
  assert.deepEqual(usages(30, [200, 200, 200]), ['normal', 'normal', 'overuse']);
  // 2, 6, 10 (not more than 10), 14.
  assert.deepEqual(usages(4, [200, 200, 200, 200, 200]), ['normal', 'normal', 'normal', 'normal', 'overuse']);
});

test('over-use is not declared while the slope falls', () => {
  // Smoothed delay 100, 190, 271, 343.9, ...: above the threshold, but each slope is 0.9 of the previous one.
  assert.deepEqual(usages(30, [1000, 0, 0, 0, 0]), ['normal', 'normal', 'normal', 'normal', 'normal']);
});

test('a falling queue is under-use, a steady one normal', () => {
  const trendline = new Trendline(2);
  trendline.update(10, 10, 0);
  trendline.update(10, 110, 10);
  // Smoothed delay 0 and -10: trend 2 x -1 x 4 = -8, within 12.5.
  near(trendline.modifiedTrendMs, -8);
  assert.equal(trendline.usage, 'normal');
  trendline.update(10, 110, 20);
  // Smoothed -9 - 20 = -29: trend 3 x -1.9 x 4 = -22.8.
  near(trendline.modifiedTrendMs, -22.8);
  assert.equal(trendline.usage, 'underuse');
});
