import assert from 'node:assert/strict';
import { test } from 'node:test';
import { binomialInterval } from '../../../../core/stats/binomial-interval.ts';

/** Returns P(low <= Binomial(n, p) <= high) by exact integer arithmetic. */
function coverage(n: number, p: number, { low, high }: { low: number; high: number }): number {
  let sum = 0;
  for (let k = low; k <= high; k++) {
    let term = 1;
    for (let i = 1; i <= k; i++) term *= ((n - k + i) / i) * p;
    sum += term * (1 - p) ** (n - k);
  }
  return sum;
}

test('it covers what it says, and without its ends it would not', () => {
  for (const [n, p] of [
    [10, 0.5],
    [40, 0.1],
    [100, 0.02],
    [60, 0.9],
  ] as const) {
    const { low, high } = binomialInterval(n, p, 0.99);
    assert.ok(coverage(n, p, { low, high }) >= 0.99, `${n}, ${p}: ${low} to ${high}`);
    if (low > 0) assert.ok(coverage(n, p, { low: 0, high: low }) > 0.005);
    if (high < n) assert.ok(coverage(n, p, { low: high, high: n }) > 0.005);
  }
});

test('a fair coin, ten times', () => {
  // 0 and 10 have 1/1024 each, 1 and 9 have 10/1024 each: P(0) is below half a percent, P(0) + P(1) is above it
  assert.deepEqual(binomialInterval(10, 0.5, 0.99), { low: 1, high: 9 });
});

test('many trials: the normal approximation', () => {
  for (const [n, p] of [
    [33_000, 0.005],
    [8134, 0.02],
    [100_000, 0.03],
  ] as const) {
    const { low, high } = binomialInterval(n, p);
    const spread = 2.5758 * Math.sqrt(n * p * (1 - p));
    assert.ok(
      Math.abs(low - (n * p - spread)) < 3 && Math.abs(high - (n * p + spread)) < 3,
      `${n}, ${p}: ${low} to ${high}`,
    );
  }
});

test('certainty has no width', () => {
  assert.deepEqual(
    [binomialInterval(100, 0), binomialInterval(100, 1), binomialInterval(0, 0.5)],
    [
      { low: 0, high: 0 },
      { low: 100, high: 100 },
      { low: 0, high: 0 },
    ],
  );
});
