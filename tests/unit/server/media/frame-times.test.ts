import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FrameTimes, frameIndexAt } from '../../../../server/media/frame-times.ts';

const none = { averageRate: 0, baseRate: 0 };
const even = (frames: number, frameRate: number) => ({
  startsS: Array.from({ length: frames }, (_, k) => k / frameRate),
  seconds: frames / frameRate,
  frameRate,
});
const placed = (times: readonly (number | null)[], { declared = none, mayJump = false, durationS = 0 } = {}) => {
  const placing = new FrameTimes(declared, mayJump);
  const starts = times.map(time => placing.add(time, durationS));
  return { placing, starts };
};
const rounded = (values: readonly (number | undefined)[]) => values.map(s => s && Math.round(s * 1000) / 1000);

test('the index of a frame loops and does not slip', () => {
  assert.deepEqual(
    [0, 0.01, 0.0166, 0.0167, 0.19, 0.2, 1].map(s => frameIndexAt(even(12, 60), s, 1 / 60)),
    [0, 0, 0, 1, 11, 0, 0],
  );
  const long = even(900, 60);
  for (let number = 0; number < 500_000; number++) assert.equal(frameIndexAt(long, number / 60, 1 / 60), number % 900);
  // a clip of 30 frames a second shown at 60: each frame twice; of 24: 2 or 3 times
  const shownAt60 = (clipRate: number) =>
    Array.from({ length: 6 }, (_, i) => frameIndexAt(even(900, clipRate), i / 60, 1 / 60));
  assert.deepEqual(shownAt60(30), [0, 0, 1, 1, 2, 2]);
  assert.deepEqual(shownAt60(24), [0, 0, 0, 1, 1, 2]);
});

test('a time of the wall clock finds the same frame as the number of its period', () => {
  const clip = even(7, 60);
  for (let period = 105_000_000_000; period < 105_000_001_000; period++)
    assert.equal(frameIndexAt(clip, period / 60, 1 / 60), period % 7);
});

test('a frame of an uneven clip is taken from a quarter of a period before its time on', () => {
  const clip = { startsS: [0, 0.5, 0.508], seconds: 1, frameRate: null };
  assert.deepEqual(
    [0, 0.4749, 0.4751, 0.4829, 0.4831, 0.9749, 0.9751].map(s => frameIndexAt(clip, s, 0.1)),
    [0, 0, 1, 1, 2, 2, 0],
  );
});

test('frames that are at the same time or have none', () => {
  const { placing, starts } = placed([3, 3.5, 3.5, null, 4.5]);
  assert.deepEqual(starts, [0, 0.5, undefined, 1, 1.5]);
  assert.equal(placing.untimed, 1);
  assert.deepEqual(placed([null, null, 7], { durationS: 0.25 }).starts, [0, 0.25, 0.5]);
  assert.deepEqual(rounded(placed([null, null]).starts), [0, 0.04], 'FFmpeg takes 25 for what says nothing');
  assert.deepEqual(rounded(placed([null, null], { declared: { averageRate: 1e-4, baseRate: 50 } }).starts), [0, 0.02]);
});

test('times that begin anew go on, and in MPEG streams those that jump', () => {
  const { placing, starts } = placed([0, 1, 2, 0, 1]);
  assert.deepEqual([starts, placing.breaks], [[0, 1, 2, 3, 4], 1]);
  assert.deepEqual(placed([0, 1, 2, 5000, 5001], { mayJump: true }).starts, [0, 1, 2, 3, 4]);
  assert.deepEqual(placed([0, 1, 2, 5000]).starts, [0, 1, 2, 5000]);
});

test('the part that is used ends where it shall, and a last frame holds no longer than is meant', () => {
  const part = (times: readonly number[], mostS: number, ended = true, durationS = 0) => {
    const { startsS, seconds, frameRate, leftOutS } = placed(times, { durationS }).placing.part(mostS, ended);
    return [startsS.length, Math.round(seconds * 1e6) / 1e6, frameRate, leftOutS];
  };
  assert.deepEqual(part([0, 1, 2, 3], 60), [4, 4, 1, null]);
  assert.deepEqual(part([0, 1, 2, 3], 2.5, false), [2, 2, 1, null], 'whole frames of an even clip');
  assert.deepEqual(part([0, 1, 2, 9], 6, false), [3, 6, null, null], 'a frame that stays past the end, to the end');
  assert.deepEqual(part([0, 1, 5, 9], 6, false), [3, 6, null, null], 'an uneven one to the end of the part');
  assert.deepEqual(part([0, 1, 2, 3600], 60, false), [3, 3, 1, 3598]);
  assert.deepEqual(part([0, 1, 2, 20], 60), [4, 21, null, null], 'a pause that ends in the part is one');
  assert.deepEqual(part([0, 1, 2], 60, true, 5), [3, 7, null, null], 'held as the file says');
  assert.deepEqual(part([0, 1, 2], 60, true, 500), [3, 3, 1, 500], 'but not for minutes');
  assert.deepEqual(part([0, 1, 2], 60, true, 0.001), [3, 3, 1, null], 'nor for a tick');
});

test('rounded times have the rate that they mean', () => {
  const rateOf = (rate: number, declared = none) => {
    const times = Array.from({ length: 300 }, (_, k) => Math.round((k * 1000) / rate) / 1000);
    return placed(times, { declared }).placing.part(60, true).frameRate;
  };
  for (const rate of [24, 25, 30, 50, 60, 24_000 / 1001, 30_000 / 1001, 60_000 / 1001]) {
    assert.ok(Math.abs(rateOf(rate)! - rate) < 1e-9 * rate, String(rate));
    assert.equal(rateOf(rate, { averageRate: rate, baseRate: 0 }), rate);
  }
});
