import assert from 'node:assert/strict';
import { test } from 'node:test';
import { shownBetween } from '../../../../../harness/analysis/derive/unseen.ts';

/**
 * Returns the bounds of the longest time without a frame, in whole ms, and the longest such time between the placed
 * frames.
 */
function longest(wholeMs: number, shown: number, heldUpMs?: number): { bounds: [number, number]; placedMs: number } {
  const { timesMs, leastMs, mostMs } = shownBetween({ fromMs: 1000, toMs: 1000 + wholeMs, shown }, heldUpMs);
  assert.equal(timesMs.length, shown);
  assert.equal(timesMs.at(-1), 1000 + wholeMs);
  const gaps = timesMs.map((time, i) => time - (timesMs[i - 1] ?? 1000));
  assert.ok(
    gaps.every(gap => gap > 0 && gap <= gaps[0]! + 1e-9),
    'the first gap is the longest',
  );
  return { bounds: [Math.round(leastMs), Math.round(mostMs)], placedMs: Math.round(gaps[0]!) };
}

test("a punctual page misses frames only in the display's last period: 240 ms with two frames are a gap of 223", () => {
  for (const [wholeMs, shown, gapMs] of [
    [240, 2, 223],
    [280, 8, 263],
    [149, 4, 132],
    [210, 2, 193],
  ] as const)
    assert.deepEqual(longest(wholeMs, shown, 0), { bounds: [gapMs, gapMs], placedMs: gapMs });
});

test('while the page is held up frames are shown without it, at most one in a period of the display', () => {
  assert.deepEqual(longest(400, 20, 390), { bounds: [20, 83], placedMs: 83 }); // 19 periods of 16.7 ms before the end
  assert.deepEqual(longest(400, 24, 390), { bounds: [17, 17], placedMs: 17 });
  assert.deepEqual(longest(210, 12, 90), { bounds: [103, 103], placedMs: 103 });
  assert.deepEqual(longest(235, 2, 30), { bounds: [188, 218], placedMs: 218 }); // a late callback does not hide a stall
  assert.deepEqual(longest(210, 2, 300), { bounds: [105, 193], placedMs: 193 });
});

test('where nothing tells of the page, a gap is the longest that the display allows, not the shortest', () => {
  assert.deepEqual(longest(400, 20), { bounds: [20, 83], placedMs: 83 });
  assert.deepEqual(longest(240, 2), { bounds: [120, 223], placedMs: 223 });
  assert.deepEqual(longest(100, 9), { bounds: [11, 11], placedMs: 11 }); // more frames than periods are spread evenly
});

test('of two periods of the display nothing is asked', () => {
  assert.deepEqual(longest(33, 2, 0), { bounds: [17, 17], placedMs: 17 });
  assert.deepEqual(longest(33, 3, 0), { bounds: [11, 11], placedMs: 11 });
});

test('whatever is known, the gap that every reader takes is the upper bound', () => {
  for (const wholeMs of [20, 33, 50, 120, 210, 400, 900]) {
    for (const shown of [1, 2, 3, 8, 30]) {
      for (const heldUpMs of [undefined, 0, 20, 100, 500]) {
        const {
          bounds: [leastMs, mostMs],
          placedMs,
        } = longest(wholeMs, shown, heldUpMs);
        assert.equal(placedMs, mostMs, `${wholeMs} ${shown} ${heldUpMs}`);
        assert.ok(leastMs <= mostMs && mostMs <= wholeMs, `${wholeMs} ${shown} ${heldUpMs}`);
      }
    }
  }
});

test('more frames than a browser shows are a damaged record, and no list of them is made', () => {
  for (const shown of [2000, 1e9, 1e300])
    assert.throws(() => shownBetween({ fromMs: 1000, toMs: 1020, shown }, undefined), {
      code: 'bad-run-folder',
      message: `the page reports ${shown} frames in 20 ms, more than a browser can show`,
      hint: "remove the trial's folder and run it again with --resume",
    });
  assert.equal(shownBetween({ fromMs: 1000, toMs: 1020, shown: 900 }, undefined).timesMs.length, 900);
});
