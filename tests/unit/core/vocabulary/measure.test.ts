/** Tests that limits of the time without a new frame follow the frame period if it is long. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { defaultMeasure, gapLimits } from '../../../../core/vocabulary/measure.ts';

const limitsAt = (frameRate: number | undefined, measure = defaultMeasure) => {
  const { stallMs, ownStallMs, smoothGapMs } = gapLimits(measure, frameRate);
  return [stallMs, ownStallMs, smoothGapMs].map(value => Math.round(value));
};

test("a stall is the paper's 200 ms from 25 fps on, and five periods below", () => {
  for (const [rate, limits] of [
    [undefined, [200, 100, 100]],
    [120, [200, 100, 100]],
    [60, [200, 100, 100]],
    [30, [200, 100, 100]],
    [25, [200, 120, 120]],
    [24_000 / 1001, [209, 125, 125]],
    [20, [250, 150, 150]],
    [15, [333, 200, 200]],
    [10, [500, 300, 300]],
    [5, [1000, 600, 600]],
    [1, [5000, 3000, 3000]],
  ] as const)
    assert.deepEqual(limitsAt(rate), limits, `${rate} fps`);
});

test('what a study sets holds at every frame rate, and a plan of an older version has its own', () => {
  const set = { stallMs: 400, headlineStallMs: 250, smoothGapMs: 220 };
  for (const rate of [5, 60]) assert.deepEqual(limitsAt(rate, set), [250, 400, 220]);
  assert.deepEqual(limitsAt(5, { stallMs: 100 }), [1000, 100, 600]);
});
