import assert from 'node:assert/strict';
import { test } from 'node:test';
import { correlation } from '../../../../core/stats/correlation.ts';

test('Anscombe\'s four data sets all have 0.816 (F. J. Anscombe, "Graphs in statistical analysis", 1973)', () => {
  const x = [10, 8, 13, 9, 11, 14, 6, 4, 12, 7, 5];
  const x4 = [8, 8, 8, 8, 8, 8, 8, 19, 8, 8, 8];
  const sets: [number[], number[]][] = [
    [x, [8.04, 6.95, 7.58, 8.81, 8.33, 9.96, 7.24, 4.26, 10.84, 4.82, 5.68]],
    [x, [9.14, 8.14, 8.74, 8.77, 9.26, 8.1, 6.13, 3.1, 9.13, 7.26, 4.74]],
    [x, [7.46, 6.77, 12.74, 7.11, 7.81, 8.84, 6.08, 5.39, 8.15, 6.42, 5.73]],
    [x4, [6.58, 5.76, 7.71, 8.84, 8.47, 7.04, 5.25, 12.5, 5.56, 7.91, 6.89]],
  ];
  for (const [xs, ys] of sets)
    assert.equal(correlation(xs.map((value, i) => [value, ys[i]!]))!.toFixed(3), ys[7] === 12.5 ? '0.817' : '0.816');
});

test('a line is 1 or -1, whatever its slope and its distance from 0', () => {
  for (const [slope, expected] of [
    [3e9, 1],
    [-1e-9, -1],
  ] as const) {
    assert.equal(correlation([1, 2, 3, 4].map(x => [1e6 + x, 5 + slope * x]))!.toFixed(5), expected.toFixed(5));
  }
});

test('nothing to say: too few pairs, or one of the two does not change', () => {
  assert.equal(correlation([]), undefined);
  assert.equal(correlation([[1, 2]]), undefined);
  assert.equal(
    correlation([
      [1, 2],
      [1, 3],
    ]),
    undefined,
  );
  assert.equal(
    correlation([
      [1, 2],
      [3, 2],
    ]),
    undefined,
  );
});
