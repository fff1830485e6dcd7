import assert from 'node:assert/strict';
import { test } from 'node:test';
import { gapsInWindow, longestGap } from '../../../../../harness/analysis/derive/presentation.ts';
import { every, presentationTimes, presented, presentedAt } from '../../support/record.ts';

const window = { startMs: 1000, endMs: 2000 };

test('every callback is a frame', () => {
  assert.deepEqual(presentationTimes(presentedAt([10, 30, 50])), [10, 30, 50]);
  assert.deepEqual(presentationTimes([]), []);
});

test('frames that callbacks missed have one period of the display each, as late as they fit', () => {
  // 100 ms and four frames, three of them without a callback
  assert.deepEqual(
    presentationTimes([presented(100, 1), presented(200, 5), presented(220, 6)]).map(Math.round),
    [100, 150, 167, 183, 200, 220],
  );
  // frames are spread evenly if display periods do not fit
  assert.deepEqual(presentationTimes([presented(100, 1), presented(140, 5)]), [100, 110, 120, 130, 140]);
});

test('the longest of some gaps has the bounds of that one', () => {
  const gap = (lengthMs: number, bounds?: { leastMs: number; mostMs: number }) => ({
    lengthMs,
    startMs: 0,
    endMs: lengthMs,
    ...(bounds === undefined ? {} : { bounds }),
  });
  assert.deepEqual(longestGap([gap(150), gap(193, { leastMs: 105, mostMs: 193 })]), { lengthMs: 193, leastMs: 105 });
  assert.deepEqual(longestGap([gap(50), gap(20, { leastMs: 10, mostMs: 20 })]), { lengthMs: 50, leastMs: 50 });
  assert.deepEqual(longestGap([]), { lengthMs: 0, leastMs: 0 });
});

test('what was shown before the first callback is not invented', () => {
  assert.deepEqual(presentationTimes([presented(100, 7), presented(120, 8)]), [100, 120]);
});

test('a callback that repeats a moment, or whose count does not grow, is one frame at most', () => {
  assert.deepEqual(
    presentationTimes([presented(100, 1), presented(100, 2), presented(90, 2), presented(130, 4)]),
    [100, 110, 120, 130],
  );
  assert.deepEqual(presentationTimes([presented(100, 5), presented(120, 5), presented(140, 1)]), [100, 120, 140]);
});

test('a gap is the time between two frames', () => {
  assert.deepEqual(gapsInWindow([1000, 1400, 2000], window), [
    { lengthMs: 400, startMs: 1000, endMs: 1400 },
    { lengthMs: 600, startMs: 1400, endMs: 2000 },
  ]);
});

test('a gap that began before the window has its whole length, and its part inside', () => {
  assert.deepEqual(gapsInWindow([500, 1300, 2000], window)[0], { lengthMs: 800, startMs: 1000, endMs: 1300 });
});

test('a gap that ended before the window, or as it began, has no part in it', () => {
  assert.deepEqual(gapsInWindow([200, 900, 1000, 2000], window), [{ lengthMs: 1000, startMs: 1000, endMs: 2000 }]);
});

test("the gap under way at the window's end counts as far as the window goes", () => {
  assert.deepEqual(gapsInWindow([1000, 1700], window).at(-1), { lengthMs: 300, startMs: 1700, endMs: 2000 });
  assert.deepEqual(gapsInWindow([1000, 1700, 2600], window).at(-1), { lengthMs: 300, startMs: 1700, endMs: 2000 });
  assert.deepEqual(gapsInWindow([400], window), [{ lengthMs: 1600, startMs: 1000, endMs: 2000 }]);
});

test('what comes after the window changes nothing in it', () => {
  const inside = every(20, 900, 2000);
  const expected = gapsInWindow(inside, window);
  assert.equal(expected.length, 1000 / 20);
  assert.deepEqual(gapsInWindow([...inside, 2020, 2040], window), expected);
  assert.deepEqual(gapsInWindow([...inside, 9000], window), expected);
});

test('without frames there are no gaps', () => {
  assert.deepEqual(gapsInWindow([], window), []);
  assert.deepEqual(gapsInWindow([2001], window), []);
});
