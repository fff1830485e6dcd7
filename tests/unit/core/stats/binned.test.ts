import assert from 'node:assert/strict';
import { test } from 'node:test';
import { binCount, meanPerBin, overlay, ratePerBin } from '../../../../core/stats/binned.ts';

const window = { startMs: 1000, endMs: 4000 };

test('only whole bins are taken, and at least one', () => {
  assert.equal(binCount(window, 1000), 3);
  assert.equal(binCount({ startMs: 0, endMs: 3999 }, 1000), 3);
  assert.equal(binCount({ startMs: 0.1, endMs: 3000.1 }, 1000), 3); // rounding errors do not count
  assert.equal(binCount({ startMs: 0, endMs: 10 }, 1000), 1);
});

test("a counter's growth per second in each bin", () => {
  const readings = [
    { timeMs: 1000, value: 0 },
    { timeMs: 2000, value: 100 },
    { timeMs: 4000, value: 500 },
  ];
  assert.deepEqual(ratePerBin(readings, window, 1000), [100, 200, 200]);
  assert.deepEqual(ratePerBin(readings, window, 500), [100, 100, 200, 200, 200, 200]);
  assert.deepEqual(ratePerBin([], window, 1000), [null, null, null]);
  assert.deepEqual(
    ratePerBin(
      [
        { timeMs: 0, value: 0 },
        { timeMs: 1500, value: 150 },
      ],
      window,
      1000,
    ),
    [50, null, null],
  );
});

test('the mean of the samples in each bin, or nothing', () => {
  const samples = [
    { timeMs: 900, value: 99 },
    { timeMs: 1000, value: 1 },
    { timeMs: 1999, value: 3 },
    { timeMs: 3500, value: 7 },
    { timeMs: 4000, value: 99 },
  ];
  assert.deepEqual(meanPerBin(samples, window, 1000), [2, null, 7]);
});

test('trials over each other: median and range, bin by bin', () => {
  assert.deepEqual(
    overlay([
      [1, null, 5],
      [3, null, null],
      [2, 4],
    ]),
    { median: [2, 4, 5], low: [1, 4, 5], high: [3, 4, 5] },
  );
  assert.deepEqual(overlay([[null], [null]]), { median: [null], low: [null], high: [null] });
  assert.deepEqual(overlay([]), { median: [], low: [], high: [] });
});

test('a window that would fill the memory with bins is refused', () => {
  for (const [startMs, endMs] of [
    [-1e12, 0],
    [0, 1e300],
    [0, Infinity],
    [NaN, 0],
  ] as const)
    assert.throws(() => binCount({ startMs, endMs }, 500), {
      code: 'bad-run-folder',
      message: /has more than 1000000 bins of 500 ms$/,
      hint: /trial\.json/,
    });
});
