import assert from 'node:assert/strict';
import { test } from 'node:test';
import { QueueTrend } from '../../../../../server/congestion/scream/queue-trend.ts';
import { near } from '../gcc/near.ts';

test('a queue delay that stands still has no trend, however long it is', () => {
  const trend = new QueueTrend();
  for (let i = 0; i < 100; i++) trend.add(0.8);
  near(trend.trend, 0);
});

test('one sample after silence: autocorrelation x average', () => {
  const trend = new QueueTrend();
  trend.add(1);
  // x = 19 times -0.05 and once 0.95: R(1) / R(0) = (18 * 0.0025 - 0.0475) / (19 * 0.0025 + 0.9025) < 0
  assert.equal(trend.trend, 0);
  trend.add(1);
  // x = 18 times -0.1 and twice 0.9: R(1) = 17 * 0.01 - 0.09 + 0.81, R(0) = 18 * 0.01 + 2 * 0.81; average = 0.1 + 0.9 *
  // 0.1
  near(trend.trend, (0.89 / 1.8) * 0.19);
});

test('a rise is seen before the target is reached; so is a fall', () => {
  const rise = new QueueTrend();
  for (let i = 1; i <= 20; i++) rise.add(i / 25);
  assert.ok(rise.trend > 0.2, `${rise.trend}`);
  const fall = new QueueTrend();
  for (let i = 0; i < 40; i++) fall.add(0.8);
  for (let i = 20; i >= 1; i--) fall.add(i / 25);
  assert.ok(fall.trend > 0.2, `${fall.trend}`);
});

test('a delay that jumps to and fro has none', () => {
  const trend = new QueueTrend();
  for (let i = 0; i < 60; i++) trend.add(i % 2);
  assert.equal(trend.trend, 0);
});

test('the trend is 1 at most, and its memory fades by a hundredth', () => {
  const trend = new QueueTrend();
  for (let i = 0; i < 40; i++) trend.add(i);
  assert.deepEqual([trend.trend, trend.memory], [1, 1]);
  for (let i = 0; i < 30; i++) trend.add(39);
  near(trend.trend, 0);
  assert.ok(trend.memory >= 0.99 ** 30 && trend.memory < 1, `${trend.memory}`);
  const before = trend.memory;
  trend.add(39);
  near(trend.memory, 0.99 * before);
});
