import assert from 'node:assert/strict';
import { test } from 'node:test';
import { causeShares } from '../../../../reports/pairs/stall-causes.ts';

const side = (stalled: (number | null)[], queue: (number | null)[], overflow: (number | null)[]) => ({
  trials: { throughput: [1], stalled: stalled, 'stalled-by-queue': queue, 'stalled-by-overflow-loss': overflow },
});

test('shares are of the stalled time of all trials, so a trial that stood longer counts more', () => {
  const { causes, n, stalledTrials } = causeShares(side([0.3, 0.1, 0, null], [0, 1, null, null], [1, 0, null, null]));
  assert.deepEqual(
    causes.map(({ id, ratio }) => [id, Math.round(ratio * 100)]),
    [
      ['stalled-by-overflow-loss', 75],
      ['stalled-by-queue', 25],
    ],
  );
  assert.deepEqual([n, stalledTrials], [3, 2]);
});

test('where nothing stalled, nothing is shared out', () => {
  assert.deepEqual(causeShares(side([0, 0], [null, null], [null, null])), { causes: [], n: 2, stalledTrials: 0 });
  assert.deepEqual(causeShares(side([null], [null], [null])), { causes: [], n: 0, stalledTrials: 0 });
});
