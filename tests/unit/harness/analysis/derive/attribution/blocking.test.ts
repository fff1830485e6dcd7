import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { blockingOf, periodOf } from '../../../../../../harness/analysis/derive/attribution/blocking.ts';
import type { FrameLine } from '../../../../../../harness/analysis/derive/timeline/frame-line.ts';
import { frameLine } from '../timeline/frame.ts';

const periodMs = 20;

/** Returns a frame that was in flight for 25 ms, with changes. */
const line = (frame: number, change: Partial<FrameLine> = {}) => {
  const at = frame * periodMs;
  return frameLine({
    frame,
    captureMs: at,
    encodedMs: at + 5,
    lastSentMs: at + 6,
    last: { sentMs: at + 6, queue: { offeredMs: at + 6, sojournMs: 1, packets: 1 }, arrivedMs: at + 8 },
    completeMs: at + 8,
    presentedMs: at + 25,
    decodingMs: 2,
    ...change,
  });
};

const largest = (added: Record<string, number>) => Object.entries(added).reduce((a, b) => (b[1] > a[1] ? b : a));

test('what the parts added is the gap without a period, exactly', () => {
  const delay = fc.double({ min: 0, max: 300, noNaN: true });
  const atLeast = fc.double({ min: 10, max: 300, noNaN: true }); // shown after the previous frame
  fc.assert(
    fc.property(delay, delay, delay, delay, atLeast, delay, (capture, encoding, pacing, queueing, wire, holding) => {
      const captureMs = 20 + capture;
      const encodedMs = captureMs + encoding;
      const sentMs = encodedMs + pacing;
      const arrivedMs = sentMs + queueing + wire;
      const presentedMs = arrivedMs + holding + 2;
      const frames = [
        line(0),
        frameLine({
          frame: 1,
          captureMs,
          encodedMs,
          lastSentMs: sentMs,
          last: { sentMs, queue: { offeredMs: sentMs, sojournMs: queueing, packets: 0 }, arrivedMs },
          completeMs: arrivedMs,
          presentedMs,
          decodingMs: 2,
        }),
      ];
      const { addedMs, before, next, after } = blockingOf(
        frames,
        { fromMs: 25, toMs: presentedMs, isOver: true },
        periodMs,
      )!;
      assert.deepEqual([before.frame, next!.frame, after!.frame], [0, 1, 1]);
      assert.ok(
        Math.abs(Object.values(addedMs).reduce((sum, value) => sum + value, 0) - (presentedMs - 25 - periodMs)) < 1e-6,
        JSON.stringify(addedMs),
      );
    }),
  );
});

test('the frame that is looked at is the first after the last shown, not the one that ended the gap', () => {
  const late = { sentMs: 26, queue: { offeredMs: 26, sojournMs: 400, packets: 300 }, arrivedMs: 427 };
  const frames = [
    line(0),
    line(1, { last: late, completeMs: 427, presentedMs: null }),
    line(2, { completeMs: 428, presentedMs: 440 }),
  ];
  const { next, after, addedMs } = blockingOf(frames, { fromMs: 25, toMs: 440, isOver: true }, periodMs)!;
  assert.deepEqual([next!.frame, after!.frame, largest(addedMs)], [1, 2, ['queue', 399]]);
});

test('where one never became whole and a key frame was shown instead, the key frame is', () => {
  const frames = [
    line(0),
    line(1, { lost: 2, completeMs: null, presentedMs: null }),
    ...[2, 3, 4].map(n => line(n, { presentedMs: null })),
    line(15, { key: true }),
  ];
  const { next, broken, addedMs } = blockingOf(frames, { fromMs: 25, toMs: 325, isOver: true }, periodMs)!;
  assert.deepEqual([next!.frame, broken!.frame, largest(addedMs)], [15, 1, ['key-frame', 280]]);
});

test('where what was shown needed it, it was whole whatever the record lacks', () => {
  const frames = [
    line(0),
    line(1, { lost: 2, completeMs: null, presentedMs: null }),
    line(2, { completeMs: 300, presentedMs: 325 }),
  ];
  const { next, broken } = blockingOf(frames, { fromMs: 25, toMs: 325, isOver: true }, periodMs)!;
  assert.deepEqual([next!.frame, next!.completeMs, broken], [1, 300, null]);
});

test('a gap that is not over', () => {
  const silent = blockingOf([line(0)], { fromMs: 25, toMs: 525, isOver: false }, periodMs)!;
  assert.deepEqual([silent.next, silent.after, largest(silent.addedMs)], [null, null, ['capture', 480]]);
  const lost = blockingOf(
    [line(0), line(1, { lost: 1, completeMs: null, presentedMs: null })],
    { fromMs: 25, toMs: 525, isOver: false },
    periodMs,
  )!;
  assert.deepEqual([lost.next!.frame, lost.broken, largest(lost.addedMs)], [1, null, ['repair', 497]]);
});

test('without the last frame shown nothing can be said; numbers count periods', () => {
  assert.equal(blockingOf([line(5)], { fromMs: 25, toMs: 325, isOver: true }, periodMs), undefined);
  assert.equal(periodOf([line(3), line(4), line(13)]), periodMs);
  assert.deepEqual([periodOf([]), periodOf([line(3)])], [0, 0]);
});
