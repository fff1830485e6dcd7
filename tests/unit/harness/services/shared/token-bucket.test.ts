import assert from 'node:assert/strict';
import { test } from 'node:test';
import { TokenBucket } from '../../../../../harness/services/shared/token-bucket.ts';

test('the burst at once, then no more than the rate', () => {
  const bucket = new TokenBucket(8e6, 3000, 0); // one byte per microsecond
  assert.deepEqual([bucket.take(1000, 0), bucket.take(1000, 0), bucket.take(1000, 0)], [0, 0, 0]);
  assert.equal(bucket.take(1000, 0), 1, 'a millisecond for a thousand bytes');
  assert.equal(bucket.take(1000, 0.5), 0.5);
  assert.equal(bucket.take(1000, 1), 0);
});

test('what was not used in time is lost beyond the burst', () => {
  const bucket = new TokenBucket(8e6, 3000, 0);
  assert.deepEqual(
    [1, 2, 3, 4].map(() => bucket.take(1000, 10_000)),
    [0, 0, 0, 1],
  );
});

test('over a long time exactly the rate, however late the timer comes', () => {
  const bucket = new TokenBucket(45e6, 65_536, 0);
  let sent = 0;
  let timeMs = 0;
  while (timeMs < 10_000) {
    const waitMs = bucket.take(16_384, timeMs);
    if (waitMs === 0) sent += 16_384;
    else timeMs += Math.ceil(waitMs) + 1;
  }
  assert.ok(Math.abs((sent * 8) / 10 - 45e6) < 0.01 * 45e6, `${(sent * 8) / 10} bit/s`);
});
