import assert from 'node:assert/strict';
import { test } from 'node:test';
import { seededRandom } from '../../../../core/random.ts';
import { mean } from '../../../../core/stats/quantile.ts';
import { spreadOf } from '../../../../core/stats/variance-components.ts';
import { normal } from '../../../sim/normal.ts';

const near = (value: number | null, wanted: number, by = 1e-9) =>
  assert.ok(value !== null && Math.abs(value - wanted) < by, `${value}, not ${wanted}`);

test('groups of equal size: mean squares 2 and 128 come to 2 within and 63 between', () => {
  const { within, between } = spreadOf([
    [1, 3],
    [9, 11],
    [17, 19],
  ]);
  near(within, Math.sqrt(2));
  near(between, Math.sqrt((128 - 2) / 2));
});

test('groups of unequal size: mean squares 2/3 and 4.8 with an effective size of 2.4', () => {
  const { within, between } = spreadOf([[1, 2, 3], [4, 4], []]);
  near(within, Math.sqrt(2 / 3));
  near(between, Math.sqrt((4.8 - 2 / 3) / 2.4));
});

test('what chance within the groups explains is no spread between them', () => {
  assert.deepEqual(
    spreadOf([
      [0, 2],
      [0, 2],
    ]),
    { within: Math.SQRT2, between: 0 },
  );
});

test('too few values tell nothing', () => {
  assert.deepEqual(spreadOf([]), { within: null, between: null });
  assert.deepEqual(spreadOf([[1], [5]]), { within: null, between: null });
  assert.deepEqual(spreadOf([[1, 3]]), { within: Math.SQRT2, between: null });
});

test('of many random groups the variances that were put in come out', () => {
  const random = seededRandom(3);
  const variances = Array.from({ length: 2000 }, () => {
    const { within, between } = spreadOf(
      [4, 7, 2, 5].map(size => {
        const group = 3 * normal(random);
        return Array.from({ length: size }, () => 100 + group + 2 * normal(random));
      }),
    );
    return [within! ** 2, between! ** 2] as const;
  });
  near(mean(variances.map(([within]) => within))!, 4, 0.15);
  near(mean(variances.map(([, between]) => between))!, 9, 0.6);
});
