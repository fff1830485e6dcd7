import assert from 'node:assert/strict';
import { test } from 'node:test';
import { LinkCapacity } from '../../../../../server/congestion/gcc/link-capacity.ts';
import { near } from './near.ts';

test('without an over-use there is no estimate and no bound', () => {
  const capacity = new LinkCapacity();
  assert.equal(capacity.estimateBps, undefined);
  assert.equal(capacity.upperBoundBps, Infinity);
  assert.equal(capacity.lowerBoundBps, 0);
});

test('the first sample is the estimate, with bounds of three deviations', () => {
  const capacity = new LinkCapacity();
  capacity.onOveruse(1e6);
  near(capacity.estimateBps, 1e6);
  // 3 x sqrt(0.4 x 1000) = 60 kbit/s.
  near(capacity.upperBoundBps, 1060e3);
  near(capacity.lowerBoundBps, 940e3);
});

test('further samples weigh 5 % and widen the bounds', () => {
  const capacity = new LinkCapacity();
  capacity.onOveruse(1e6);
  capacity.onOveruse(800e3);
  near(capacity.estimateBps, (0.95 * 1000 + 0.05 * 800) * 1000);
  const variance = 0.95 * 0.4 + (0.05 * (990 - 800) ** 2) / 990;
  near(capacity.upperBoundBps, (990 + 3 * Math.sqrt(variance * 990)) * 1000);
  near(capacity.lowerBoundBps, (990 - 3 * Math.sqrt(variance * 990)) * 1000);
});

test('the variance stays within 0.4 and 2.5', () => {
  const capacity = new LinkCapacity();
  capacity.onOveruse(1e6);
  capacity.onOveruse(100e3);
  // 0.95 x 0.4 + 0.05 x (955 - 100)^2 / 955 = 38.7.
  near(capacity.upperBoundBps, (955 + 3 * Math.sqrt(2.5 * 955)) * 1000);
});

test('the lower bound is not negative, and a reset forgets', () => {
  const capacity = new LinkCapacity();
  capacity.onOveruse(2e3);
  // 2 - 3 x sqrt(0.4 x 2) < 0.
  assert.equal(capacity.lowerBoundBps, 0);
  capacity.reset();
  assert.equal(capacity.estimateBps, undefined);
});
