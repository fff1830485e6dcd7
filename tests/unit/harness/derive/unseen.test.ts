import assert from 'node:assert/strict';
import { test } from 'node:test';
import { gapBounds, timesShown } from '../../../../harness/derive/unseen.ts';

const between = (wholeMs: number, shown: number) => ({ fromMs: 1000, toMs: 1000 + wholeMs, shown });
/** The longest time without a frame, whole ms. */
function longest(wholeMs: number, shown: number, heldUpMs?: number): number {
  const times = timesShown(between(wholeMs, shown), heldUpMs);
  assert.equal(times.length, shown);
  assert.equal(times.at(-1), 1000 + wholeMs);
  return Math.round(Math.max(...times.map((time, i) => time - (times[i - 1] ?? 1000))));
}

test("a punctual page misses frames only in the display's last period: 240 ms with two frames are a gap of 223", () => {
  assert.deepEqual([longest(240, 2, 0), longest(280, 8, 0), longest(149, 4, 0)], [223, 263, 132]);
});

test('while the page is held up frames are shown without it, one in a period of the display', () => {
  assert.equal(longest(400, 20, 390), 83); // 19 periods of 16.7 ms before the end
  assert.equal(longest(400, 24, 390), 17);
  assert.equal(longest(210, 12, 90), 103);
  assert.equal(longest(235, 2, 30), 218); // one frame, and the callback late: the stall before it stays one
});

test('within two periods of the display, and where nothing tells of the page, they are spread evenly', () => {
  assert.equal(longest(33, 2, 0), 17);
  assert.equal(longest(400, 20), 20);
  assert.deepEqual(timesShown(between(100, 4), undefined), [1025, 1050, 1075, 1100]);
});

test('a gap has bounds where a callback missed frames, and its length lies between them', () => {
  assert.deepEqual(gapBounds(between(240, 1), 5), { leastMs: 240, mostMs: 240 });
  const { leastMs, mostMs } = gapBounds(between(240, 2), 5);
  assert.deepEqual([Math.round(leastMs), mostMs], [218, 240]);
  assert.deepEqual(gapBounds(between(400, 20), undefined), { leastMs: 20, mostMs: 400 });
  for (const wholeMs of [50, 120, 210, 400, 900]) {
    for (const shown of [2, 3, 8, 30]) {
      for (const heldUpMs of [0, 20, 100, 500]) {
        const { leastMs: least, mostMs: most } = gapBounds(between(wholeMs, shown), heldUpMs);
        const times = timesShown(between(wholeMs, shown), heldUpMs);
        assert.ok(
          times[0]! - 1000 >= least - 1e-9 && times[0]! - 1000 <= most + 1e-9,
          `${wholeMs} ${shown} ${heldUpMs}`,
        );
      }
    }
  }
});
