import assert from 'node:assert/strict';
import { test } from 'node:test';
import { binomialHalfCdf, intervalRank } from '../../../../../../core/stats/median-interval.ts';
import { sequentialRanks } from '../../../../../../harness/studies/pairs/analysis/sequential-ranks.ts';

const upTo = (n: number) => Array.from({ length: n }, (_, k) => k + 1);

/**
 * Returns the probability that intervals of these ranks ever miss the median, checked at each n in `looks`. A rank of 0
 * means no interval.
 */
function missRatio(looks: readonly number[], ranks: readonly number[]): number {
  // Probability of each count of values below the median, among runs without a miss so far.
  let walk = [1];
  let missed = 0;
  for (const [k, n] of looks.entries()) {
    while (walk.length <= n) walk = [...walk, 0].map((stays, count) => (stays + (walk[count - 1] ?? 0)) / 2);
    const rank = ranks[k]!;
    walk = walk.map((probability, count) => {
      if (count >= rank && count <= n - rank) return probability;
      missed += probability;
      return 0;
    });
  }
  return missed;
}

test('at most 30 and at most 20 trials: the ranks of the published calculation', () => {
  assert.deepEqual(
    sequentialRanks(30),
    [0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 3, 3, 3, 4, 4, 4, 5, 5, 5, 6, 6, 7, 7, 7, 8, 8, 8],
  );
  assert.deepEqual(sequentialRanks(20), [0, 0, 0, 0, 0, 0, 1, 1, 1, 2, 2, 2, 2, 3, 3, 4, 4, 4, 4, 5]);
});

for (const most of [7, 12, 20, 30, 60]) {
  test(`up to ${most} trials the interval ever misses in at most 5 %`, () => {
    const miss = missRatio(upTo(most), sequentialRanks(most));
    assert.ok(miss <= 0.05, String(miss));
  });
}

test('one look is the exact interval', () => {
  for (const n of [6, 10, 25]) {
    const rank = intervalRank(n, 0.95);
    assert.ok(Math.abs(missRatio([n], [rank]) - 2 * binomialHalfCdf(n, rank - 1)) < 1e-12);
  }
});

test('two looks, by hand: at one value and at two, the whole range', () => {
  // A single value has no interval (rank 0). The range of two values misses if both are on one side: 2 / 4.
  assert.equal(missRatio([1, 2], [0, 1]), 0.5);
  // At three values the range misses in none of the runs that it covered at two.
  assert.equal(missRatio([1, 2, 3], [0, 1, 1]), 0.5);
});

test('exact ranks looked at after every trial would miss too often', () => {
  const looks = upTo(30).slice(5);
  const miss = missRatio(
    looks,
    looks.map(n => intervalRank(n, 0.95)),
  );
  assert.ok(Math.abs(miss - 0.134) < 0.001, String(miss)); // 86.6 % coverage
});
