import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  contentiousness,
  residuals,
  type Share,
  sensitivity,
} from '../../../../../../harness/studies/pairs/analysis/ranking.ts';

const share = (incumbent: string, contender: string, value: number, half: number | null = 0.02): Share => ({
  incumbent,
  contender,
  share: value,
  interval: half === null ? null : { low: value - half, high: value + half },
});

/** Shares in which the batch takes from both others, and the meek one gets little from any other. */
const shares = [
  share('batch', 'batch', 0.95),
  share('meek', 'batch', 0.3),
  share('plain', 'batch', 0.6),
  share('batch', 'meek', 1.6),
  share('meek', 'meek', 1),
  share('plain', 'meek', 1.3),
  share('batch', 'plain', 1.4),
  share('meek', 'plain', 0.7),
  share('plain', 'plain', 1),
];

test('contentious is who leaves little to the others; a service beside itself does not count', () => {
  assert.deepEqual(
    contentiousness(shares).map(({ service, share: value, n, belowFair, belowNinety, isMarked }) => [
      service,
      Number(value.toFixed(3)),
      n,
      belowFair,
      belowNinety,
      isMarked,
    ]),
    [
      ['batch', 0.45, 2, 2, 2, true],
      ['plain', 1.05, 2, 1, 1, false],
      ['meek', 1.45, 2, 0, 0, false],
    ],
  );
});

test('sensitive is who gets little beside the others', () => {
  assert.deepEqual(
    sensitivity(shares).map(({ service, belowFair, isMarked }) => [service, belowFair, isMarked]),
    [
      ['meek', 2, true],
      ['plain', 1, false],
      ['batch', 0, false],
    ],
  );
});

test('without intervals nobody is marked, and nobody is cleared', () => {
  assert.equal(contentiousness([share('a', 'b', 0.1, null), share('b', 'a', 0.1, null)])[0]!.isMarked, null);
});

test('what rows and columns explain leaves no residual; one odd pair does', () => {
  const rows = { a: 0.5, b: 1, c: 1.5 };
  const columns = { a: 0.8, b: 1, c: 1.2 };
  const product = Object.entries(rows).flatMap(([contender, r]) =>
    Object.entries(columns).map(([incumbent, c]) => share(incumbent, contender, r * c)),
  );
  for (const { factor } of residuals(product)) assert.ok(Math.abs(factor - 1) < 1e-9);
  const odd = product.map(cell =>
    cell.incumbent === 'b' && cell.contender === 'a' ? { ...cell, share: cell.share * 2 } : cell,
  );
  for (const { incumbent, contender, factor } of residuals(odd)) {
    assert.ok(
      Math.abs(factor - (incumbent === 'b' && contender === 'a' ? 2 : 1)) < 1e-6,
      `${incumbent} beside ${contender}: ${factor}`,
    );
  }
});

test('a missing pair, or one that got nothing, leaves nothing to polish', () => {
  assert.deepEqual(residuals(shares.slice(1)), []);
  assert.deepEqual(residuals([share('a', 'a', 0)]), []);
});
