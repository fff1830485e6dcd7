import assert from 'node:assert/strict';
import { test } from 'node:test';
import { RttGuard } from '../../../../../server/congestion/gcc/rtt-guard.ts';

test('a round trip of more than 3 s is above the limit', () => {
  const guard = new RttGuard();
  guard.onFeedback(3000, 0);
  assert.equal(guard.isAboveLimit, false);
  guard.onFeedback(3001, 100);
  assert.equal(guard.isAboveLimit, true);
});

test('so is silence while packets are sent', () => {
  const guard = new RttGuard();
  guard.onSent(1000);
  guard.onFeedback(500, 2000);
  guard.onSent(4500);
  // 500 + 4500 - 2000 = 3000.
  assert.equal(guard.isAboveLimit, false);
  guard.onSent(4501);
  assert.equal(guard.isAboveLimit, true);
  guard.onFeedback(500, 4600);
  assert.equal(guard.isAboveLimit, false);
});

test('before any feedback the first packet starts the silence', () => {
  const guard = new RttGuard();
  guard.onSent(1000);
  guard.onSent(4000);
  assert.equal(guard.isAboveLimit, false);
  guard.onSent(4001);
  assert.equal(guard.isAboveLimit, true);
});

test('the rate falls by a fifth once a second, not below 5 kbit/s', () => {
  const guard = new RttGuard();
  assert.equal(guard.lower(1e6, -Infinity, 0), 0.8 * 1e6);
  assert.equal(guard.lower(800e3, 0, 999), undefined);
  assert.equal(guard.lower(800e3, 0, 1000), 0.8 * 800e3);
  assert.equal(guard.lower(6e3, 0, 1000), 5e3);
  assert.equal(guard.lower(5e3, 0, 1000), undefined);
});
