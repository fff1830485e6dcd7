import assert from 'node:assert/strict';
import { test } from 'node:test';
import { seededRandom } from '../../../../core/random.ts';
import {
  binomialHalfCdf,
  intervalRank,
  leastForInterval,
  medianInterval,
} from '../../../../core/stats/median-interval.ts';

/** Returns the binomial coefficient "n choose k" exactly. */
function choose(n: number, k: number): bigint {
  let value = 1n;
  for (let i = 1; i <= k; i++) value = (value * BigInt(n - k + i)) / BigInt(i);
  return value;
}

/**
 * Returns the probability that the interval from the r-th smallest to the r-th largest of n values contains the median.
 * This is the probability that between r and n - r values lie below the median, each with probability 1/2. Exact
 * integers up to the last division.
 */
function exactCoverage(n: number, r: number): number {
  let ways = 0n;
  for (let below = r; below <= n - r; below++) ways += choose(n, below);
  return Number(ways) / 2 ** n;
}

const close = (a: number, b: number) => assert.ok(Math.abs(a - b) < 1e-12, `${a} and ${b}`);
const upTo = (n: number) => Array.from({ length: n }, (_, i) => i + 1);

test('so many values have an interval', () => {
  for (const [confidence, least] of [
    [0.5, 2],
    [0.95, 6],
    [0.99, 8],
  ] as const) {
    assert.equal(leastForInterval(confidence), least);
    assert.ok(1 - 2 * 0.5 ** least >= confidence && 1 - 2 * 0.5 ** (least - 1) < confidence);
  }
});

test('the distribution of coin tosses', () => {
  close(binomialHalfCdf(5, 1), (1 + 5) / 32);
  close(binomialHalfCdf(4, 2), (1 + 4 + 6) / 16);
  close(binomialHalfCdf(10, 10), 1);
  assert.equal(binomialHalfCdf(6, -1), 0);
  // by symmetry
  close(binomialHalfCdf(1000, 499) * 2 + Number((choose(1000, 500) * 10n ** 20n) / 2n ** 1000n) / 1e20, 1);
});

test('ranks as in the tables of the sign test, at 95 %', () => {
  const table = { 6: 1, 7: 1, 8: 1, 9: 2, 10: 2, 11: 2, 12: 3, 15: 4, 17: 5, 20: 6, 25: 8, 30: 10, 40: 14 };
  for (const [n, rank] of Object.entries(table)) assert.equal(intervalRank(Number(n), 0.95), rank, `n = ${n}`);
});

for (const confidence of [0.3, 0.8, 0.95, 0.99]) {
  test(`2 to 40 values: the interval has the coverage it states, and is the narrowest with ${confidence}`, () => {
    for (let n = 2; n <= 40; n++) {
      const rank = intervalRank(n, confidence);
      const interval = medianInterval(upTo(n), confidence)!;
      assert.deepEqual([interval.low, interval.high], [rank, n + 1 - rank], `n = ${n}`);
      close(interval.confidence, exactCoverage(n, rank));
      if (exactCoverage(n, 1) >= confidence)
        assert.ok(interval.confidence >= confidence, `n = ${n}: ${interval.confidence}`);
      else assert.equal(rank, 1, `n = ${n}: the whole range`);
      if (rank + 1 <= n / 2) assert.ok(exactCoverage(n, rank + 1) < confidence, `n = ${n}: a narrower one would do`);
    }
  });
}

test('below six values the range is given, with the coverage it has', () => {
  assert.deepEqual(medianInterval([5, 3, 4]), { low: 3, high: 5, confidence: 1 - 2 / 8 });
  assert.deepEqual(medianInterval([1, 2, 3, 4, 5]), { low: 1, high: 5, confidence: 1 - 2 / 32 });
  assert.equal(medianInterval([1, 2, 3, 4, 5, 6])!.confidence, 1 - 2 / 64);
});

test('one value has no interval', () => {
  assert.equal(medianInterval([7]), undefined);
  assert.equal(medianInterval([]), undefined);
});

test('drawn samples keep the coverage, whatever the distribution', () => {
  const random = seededRandom(2);
  const draws = 4000;
  const distributions = {
    uniform: [() => random.next(), 0.5],
    exponential: [() => -Math.log(1 - random.next()), Math.LN2],
  } as const;
  for (const [name, [draw, trueMedian]] of Object.entries(distributions)) {
    for (const n of [6, 12, 25]) {
      let covered = 0;
      for (let i = 0; i < draws; i++) {
        const { low, high } = medianInterval(Array.from({ length: n }, draw))!;
        if (low <= trueMedian && trueMedian <= high) covered++;
      }
      const expected = exactCoverage(n, intervalRank(n, 0.95));
      const error = Math.sqrt((expected * (1 - expected)) / draws);
      assert.ok(
        Math.abs(covered / draws - expected) < 3.3 * error,
        `${name}, n = ${n}: ${covered / draws} instead of ${expected}`,
      );
    }
  }
});

test('a thousand values are no trouble', () => {
  const { low, high, confidence } = medianInterval(upTo(1000))!;
  assert.deepEqual([low, high], [469, 532]); // 500.5 -+ 1.96 sqrt(1000) / 2 by the normal approximation
  assert.ok(confidence >= 0.95 && confidence < 0.96);
});
