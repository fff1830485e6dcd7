/** Tests the second implementation on values of a bottleneck behind the first one. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { temporaryFolder } from '../../support/folder.ts';
import { truthOfRow } from './hand-made.ts';
import { skip, verifierIn } from './verifier.ts';

describe('a row of bottlenecks recomputed by Python', { skip }, () => {
  const verify = verifierIn(temporaryFolder());

  /** Recomputes a run with a row of two bottlenecks. The second one has these values in the first trial. */
  const withHops = (hops: Record<string, Record<string, number>>) =>
    verify({
      isRow: true,
      spoil: ({ trials }) =>
        trials.forEach((trial, i) => Object.assign(trial.hops, i === 0 ? hops : structuredClone(truthOfRow))),
    });

  test('values at the second bottleneck are computed from its counters and its log', async () => {
    const { rows, differing } = await withHops(truthOfRow);
    assert.deepEqual(differing, []);
    for (const [place, values] of Object.entries(truthOfRow)) {
      const own = rows.filter(row => row.place === '0001-base' && row.metric.endsWith(` at ${place}`));
      assert.deepEqual(own.map(row => [row.metric.split(' ')[0], row.ours]).sort(), Object.entries(values).sort());
    }
  });

  test('a value that is not that of the second bottleneck is found, and one that is missing', async () => {
    for (const [place, values] of Object.entries(truthOfRow))
      for (const [metric, value] of Object.entries(values)) {
        const damaged = structuredClone(truthOfRow) as Record<string, Record<string, number>>;
        damaged[place]![metric] = value + 0.1;
        assert.deepEqual((await withHops(damaged)).differing, [`${metric} at ${place} of 0001-base`]);
      }
    const { differing } = await withHops({ 'hop-2': truthOfRow['hop-2'] });
    assert.deepEqual(
      differing,
      Object.keys(truthOfRow['hop-2-up']).map(metric => `${metric} at hop-2-up of 0001-base`),
    );
  });
});
