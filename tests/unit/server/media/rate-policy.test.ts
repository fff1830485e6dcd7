import assert from 'node:assert/strict';
import { test } from 'node:test';
import { RatePolicy } from '../../../../server/media/rate-policy.ts';

test('x264 gets every change worth a call, at once', () => {
  const policy = new RatePolicy(false, 1e6, 0);
  assert.equal(policy.next(1e6, false, 1), undefined);
  assert.equal(policy.next(1.009e6, false, 2), undefined);
  assert.equal(policy.next(1.011e6, false, 3), 1.011e6);
  assert.equal(policy.next(0.9e6, false, 4), 0.9e6);
  assert.equal(policy.next(0.895e6, true, 5), undefined); // 0.6 %, also with a key frame
});

test('small changes add up', () => {
  const policy = new RatePolicy(false, 1e6, 0);
  const applied = Array.from({ length: 40 }, (_, i) => policy.next(1e6 + 1000 * i, false, i)).filter(
    bps => bps !== undefined,
  );
  assert.deepEqual(applied, [1_010_000, 1_021_000, 1_032_000]); // 1 % of the last applied rate, rounded up to 1000
});

test('where a change makes a key frame, it must be 15 % and 1.5 s after the last', () => {
  const policy = new RatePolicy(true, 1e6, 0);
  assert.equal(policy.next(2e6, false, 1499), undefined);
  assert.equal(policy.next(1.14e6, false, 1500), undefined);
  assert.equal(policy.next(1.16e6, false, 1500), 1.16e6);
  assert.equal(policy.next(2e6, false, 2999), undefined);
  assert.equal(policy.next(0.9e6, false, 3000), 0.9e6); // 22 % down
  assert.equal(policy.next(0.8e6, false, 4500), undefined); // 11 %
});

test('a drop of 35 % does not wait', () => {
  const policy = new RatePolicy(true, 1e6, 0);
  assert.equal(policy.next(0.66e6, false, 1), undefined);
  assert.equal(policy.next(0.65e6, false, 2), 0.65e6);
  assert.equal(policy.next(0.42e6, false, 3), 0.42e6);
});

test('a key frame that is due anyway takes any change along, and the wait begins anew', () => {
  const policy = new RatePolicy(true, 1e6, 0);
  assert.equal(policy.next(1.005e6, true, 10), undefined);
  assert.equal(policy.next(1.02e6, true, 10), 1.02e6);
  assert.equal(policy.next(2e6, false, 1509), undefined);
  assert.equal(policy.next(2e6, false, 1510), 2e6);
});

test('a storm of targets leaves few changes', () => {
  const policy = new RatePolicy(true, 3e6, 0);
  let changes = 0;
  for (let ms = 0; ms < 30_000; ms += 25)
    if (policy.next(3e6 * (1 + 0.3 * Math.sin(ms / 700)), false, ms) !== undefined) changes++;
  assert.ok(changes >= 5 && changes <= 30_000 / 1500, `${changes} changes`);
});
