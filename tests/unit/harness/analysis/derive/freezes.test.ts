import assert from 'node:assert/strict';
import { test } from 'node:test';
import { w3cFreezes } from '../../../../../harness/analysis/derive/freezes.ts';
import { every } from '../../support/record.ts';

const window = { startMs: 1000, endMs: 3000 };
const lengths = (times: number[], of = window) =>
  w3cFreezes(times, of).map(({ lengthMs, startMs, endMs }) => [lengthMs, endMs - startMs]);

/** Returns times of frames every `stepMs` up to 1500, of one frame after `gapMs`, and of irrelevant later frames. */
const withGap = (stepMs: number, gapMs: number) =>
  lengths([...every(stepMs, 500, 1500), 1500 + gapMs, ...every(stepMs, 1500 + gapMs + stepMs, 3000)]);

test('at 50 frames a second a freeze is 20 ms + 150 ms', () => {
  assert.deepEqual(withGap(20, 169), []);
  assert.deepEqual(withGap(20, 170), [[170, 170]]);
});

test('at 10 frames a second a freeze is 3 times 100 ms', () => {
  assert.deepEqual(withGap(100, 299), []);
  assert.deepEqual(withGap(100, 300), [[300, 300]]);
});

test('the mean is that of the last 30 durations, a freeze among them', () => {
  // 29 durations of 20 ms and one of 320 ms have a mean of 30 ms, so that a freeze has at least 30 + 150 ms
  const before = every(20, 100, 680); // 29 durations
  const slow = [...before, 1000]; // and one of 320 ms
  assert.equal(w3cFreezes([...slow, 1000 + 179], { startMs: 1000, endMs: 1179 }).length, 0);
  assert.equal(w3cFreezes([...slow, 1000 + 180], { startMs: 1000, endMs: 1180 }).length, 1);
  // after 30 more durations of 20 ms, the duration of 320 ms is no longer in the mean
  const later = [...slow, ...every(20, 1020, 1600)];
  assert.equal(w3cFreezes([...later, 1600 + 170], { startMs: 1590, endMs: 1770 }).length, 1);
});

test('before five durations there is no mean and no freeze', () => {
  // after four durations, the gap of 920 ms does not count, but the next gap does
  assert.equal(w3cFreezes([...every(20, 1000, 1080), 2000, 3000], window).length, 1);
  assert.equal(w3cFreezes([...every(20, 1000, 1100), 2000, 2990], window).length, 2); // after five durations both count
});

test('a freeze counts where it ends, with its part inside the window', () => {
  assert.deepEqual(lengths([...every(20, 500, 800), 1300, ...every(20, 1320, 3000)]), [[500, 300]]);
  assert.deepEqual(lengths([...every(20, 300, 500), 1000, ...every(20, 1020, 3000)]), []);
});

test("one under way at the window's end counts as far as the window goes, and not to Chromium", () => {
  for (const after of [[], [3001], [9000]]) {
    assert.deepEqual(w3cFreezes([...every(20, 500, 2700), ...after], window), [
      { lengthMs: 300, startMs: 2700, endMs: 3000, uncounted: 'under way' },
    ]);
  }
});

/** Returns the reason why Chromium does not count a gap after 30 frames with intervals of 20 ms. */
const verdict = (gapMs: number) =>
  w3cFreezes([...every(20, 400, 1500), 1500 + gapMs, ...every(20, 1520 + gapMs, 9000)], {
    startMs: 1000,
    endMs: 9000,
  })[0]?.uncounted;

test("Chromium's mean holds the freeze itself and is rounded down: 29 of 20 ms and one of 175 are 25.17, so that it takes 175 ms", () => {
  assert.equal(verdict(169), undefined);
  assert.equal(verdict(170), 'own mean'); // mean 25 ms, so a freeze has at least 175 ms
  assert.equal(verdict(174), 'own mean');
  assert.equal(verdict(175), null);
});

test('more than 5 s is a pause to Chromium', () => {
  assert.equal(verdict(5000), null);
  assert.equal(verdict(5001), 'pause');
});

test('with the 200 ms of its source at 30 frames a second: mean 38, threshold 188, a freeze', () => {
  const times = [...every(33, 10, 10 + 33 * 40), 10 + 33 * 40 + 200, 2000];
  assert.deepEqual(
    w3cFreezes(times, { startMs: 0, endMs: 1600 }).map(({ uncounted }) => uncounted),
    [null],
  );
});

test('a time in which the sender paused is no freeze, and is not in the mean', () => {
  const times = [...every(20, 500, 1500), 2500, ...every(20, 2520, 2700), 2870, ...every(20, 2890, 3000)];
  assert.deepEqual(
    lengths(times),
    [
      [1000, 1000],
      [170, 170],
    ].slice(0, 1),
    'the second one is short beside a mean with the first in it',
  );
  const paused = w3cFreezes(times, window, [{ startMs: 1510, endMs: 2490 }]);
  assert.deepEqual(
    paused.map(({ lengthMs }) => lengthMs),
    [170],
  );
  assert.deepEqual(w3cFreezes(every(20, 500, 2700), window, [{ startMs: 2710, endMs: 3000 }]), []);
});
