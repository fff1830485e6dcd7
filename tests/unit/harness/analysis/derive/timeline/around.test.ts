import assert from 'node:assert/strict';
import { test } from 'node:test';
import { framesAround } from '../../../../../../harness/analysis/derive/timeline/around.ts';
import { frameLine } from './frame.ts';

/** Frames every 20 ms, each shown 30 ms after its capture. No frame is shown from 300 to 600 ms. */
const frames = Array.from({ length: 50 }, (_, frame) => {
  const shownMs = frame * 20 + 30;
  return frameLine({ frame, captureMs: frame * 20, presentedMs: shownMs > 300 && shownMs < 600 ? null : shownMs });
});
const numbers = (found: readonly { frame: number }[]) => found.map(({ frame }) => frame);
const range = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, i) => from + i);

test('six before the last one shown, all that were taken until it was over, and six after', () => {
  assert.deepEqual(numbers(framesAround(frames, { fromMs: 290, toMs: 610 }, 40)), range(13 - 6, 30 + 6));
});

test('where there are too many, every second or third one, but always those that the gap is about', () => {
  assert.deepEqual(
    numbers(framesAround(frames, { fromMs: 290, toMs: 610 }, 15)),
    [7, 9, 11, 13, 14, 15, 17, 19, 21, 23, 25, 27, 29, 31, 33, 35],
  );
});

test('one that is not over at the end of the window goes up to what was taken until then', () => {
  const unfinished = frames.slice(0, 26).map(frame => (frame.frame > 13 ? { ...frame, presentedMs: null } : frame));
  assert.deepEqual(numbers(framesAround(unfinished, { fromMs: 290, toMs: 470 }, 40)), range(7, 25));
});

test('at the first frames there are fewer before; without a frame before it there are none', () => {
  assert.deepEqual(numbers(framesAround(frames, { fromMs: 70, toMs: 90 }, 40)), range(0, 10));
  assert.deepEqual(framesAround(frames, { fromMs: 10, toMs: 30 }, 40), []);
  assert.deepEqual(framesAround([], { fromMs: 10, toMs: 30 }, 40), []);
});
