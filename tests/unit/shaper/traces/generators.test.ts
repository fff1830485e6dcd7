import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fitOf, generators, makeTable } from '../../../../shaper/traces/generators.ts';
import { byRank, logNormal, throughPoints } from '../../../../shaper/traces/noise.ts';

/** Largest error of a statistic, relative. */
const mostError = 0.03;

for (const plugin of generators.values())
  test(`${plugin.id}: what it makes has the published statistics, with any seed`, () => {
    assert.ok(plugin.statistics.length > 0 && plugin.about.length > 0);
    for (const seed of [1, 2, 3])
      for (const { name, made, published, errorRatio } of fitOf(plugin, seed))
        assert.ok(Math.abs(errorRatio) <= mostError, `seed ${seed}: ${name} is ${made}, not ${published}`);
  });

test('a generator makes the same with one seed, and something else with another', () => {
  const made = (seed: number) => makeTable({ id: 'lte', seed, lengthMs: 10e3 }, 'down');
  assert.deepEqual(made(5), made(5));
  assert.notDeepEqual(made(5).rows, made(6).rows);
  assert.notDeepEqual(made(5).rows, makeTable({ id: 'lte', seed: 5, lengthMs: 10e3 }, 'up').rows);
});

test('the outages of a satellite come every 15 s, in both directions at once', () => {
  const starts = (direction: 'down' | 'up') => {
    const { rows } = makeTable({ id: 'leo', seed: 7, lengthMs: 120e3 }, direction);
    return rows.filter((row, k) => row.outage === true && rows[k - 1]?.outage !== true).map(({ atMs }) => atMs);
  };
  const down = starts('down');
  assert.ok(down.length >= 7);
  assert.deepEqual(
    down.slice(1).map((atMs, k) => atMs - down[k]!),
    down.slice(1).map(() => 15e3),
  );
  assert.deepEqual(starts('up'), down);
  const { outages } = makeTable({ id: 'leo', seed: 7, lengthMs: 120e3 }, 'down').facts;
  assert.ok(outages!.longestMs >= 60 && outages!.longestMs <= 200);
});

test('quantile functions, and scores that take them by rank', () => {
  const quantile = throughPoints([
    [0, 10],
    [0.5, 20],
    [1, 100],
  ]);
  assert.deepEqual([0, 0.25, 0.5, 0.75, 1].map(quantile), [10, 15, 20, 60, 100]);
  assert.deepEqual(
    byRank([3, 1, 2], share => share * 6),
    [5, 1, 3],
  );
  const rate = logNormal(10, 0.5);
  assert.equal(rate(0.5), 10);
  // the 90 % quantile of a normal variable is 1.2816
  assert.ok(Math.abs(rate(0.9) / (10 * Math.exp(0.5 * 1.2816)) - 1) < 0.01);
});
