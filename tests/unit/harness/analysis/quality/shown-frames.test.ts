import assert from 'node:assert/strict';
import { test } from 'node:test';
import { presentations, shownFrames } from '../../../../../harness/analysis/quality/shown-frames.ts';
import { presented } from '../../support/record.ts';

/** Frame rate, frames per second. */
const frameRate = 50;
const window = { startMs: 1000, endMs: 1200 };
const of = (all: [timeMs: number, frame: number][]) =>
  shownFrames(
    all.map(([timeMs, frame]) => ({ timeMs, frame })),
    window,
    frameRate,
  ).map(({ timeMs, shownFrame, wantedFrame }) => [timeMs, shownFrame, wantedFrame]);

test('an even stream shows each frame once, whatever its delay', () => {
  for (const delay of [0, 7, 19]) {
    const all = Array.from({ length: 12 }, (_, i): [number, number] => [1000 - 20 + delay + 20 * i, i]);
    assert.ok(of(all).every(([, shown, wanted]) => shown === wanted));
    assert.deepEqual(
      of(all).map(([, shown]) => shown),
      [1, 2, 3, 4, 5, 6, 7, 8, 9, 10],
    );
  }
});

test('a frame that stays stands in place of the next ones, lost or late', () => {
  const lost: [number, number][] = [
    [1000, 0],
    [1020, 1],
    [1120, 6],
    [1140, 7],
    [1160, 8],
    [1180, 9],
  ];
  assert.deepEqual(of(lost), [
    [1000, 0, 0],
    [1020, 1, 1],
    [1040, 1, 2],
    [1060, 1, 3],
    [1080, 1, 4],
    [1100, 1, 5],
    [1120, 6, 6],
    [1140, 7, 7],
    [1160, 8, 8],
    [1180, 9, 9],
  ]);
  // the same stop, followed at once by all delayed frames
  const late: [number, number][] = [
    [1000, 0],
    [1020, 1],
    [1120, 2],
    [1123, 3],
    [1126, 4],
    [1129, 5],
    [1140, 6],
    [1160, 7],
    [1180, 8],
  ];
  assert.equal(of(late).filter(([, shown, wanted]) => shown !== wanted).length, 4);
});

test('a few milliseconds to and fro cost nothing', () => {
  const jittered: [number, number][] = [
    [1000, 0],
    [1029, 1],
    [1035, 2],
    [1062, 3],
    [1078, 4],
    [1103, 5],
    [1119, 6],
    [1141, 7],
    [1160, 8],
    [1180, 9],
  ];
  assert.ok(of(jittered).every(([, shown, wanted]) => shown === wanted));
});

test('what is on the screen when the window begins and ends counts as far as the window goes', () => {
  assert.deepEqual(
    of([
      [940, 0],
      [1040, 5],
    ]).slice(0, 3),
    [
      [1000, 0, 3],
      [1020, 0, 4],
      [1040, 5, 5],
    ],
  );
  assert.deepEqual(
    of([
      [1000, 0],
      [1020, 1],
      [1300, 15],
    ]).at(-1),
    [1180, 1, 9],
  );
  assert.deepEqual(of([[1500, 1]]), []);
  assert.deepEqual(of([]), []);
});

const frameOf = new Map([
  [100, 0],
  [200, 1],
  [300, 2],
  [400, 3],
  [500, 4],
  [900, 8],
]);
const sent = [0, 1, 2, 3, 4, 8];

test('presentations are found by their RTP timestamp', () => {
  assert.deepEqual(
    presentations(
      [presented(10, 1, 100), presented(30, 2, 200), presented(50, 3, null), presented(70, 4, 999)],
      frameOf,
      sent,
    ),
    [
      { timeMs: 10, frame: 0 },
      { timeMs: 30, frame: 1 },
    ],
  );
});

test('a frame that the callbacks missed is one that was sent between, in the middle', () => {
  // when the previous callback was 40 ms ago, one display period before the next
  assert.deepEqual(
    presentations([presented(10, 1, 100), presented(50, 3, 300)], frameOf, sent).map(({ timeMs, frame }) => [
      Math.round(timeMs),
      frame,
    ]),
    [
      [10, 0],
      [33, 1],
      [50, 2],
    ],
  );
  assert.deepEqual(
    presentations([presented(10, 1, 100), presented(50, 3, 500)], frameOf, sent).map(({ frame }) => frame),
    [0, 2, 4],
  ); // frame 1, 2 or 3
});

test('after a stop, the ones that a punctual page missed came at its end', () => {
  const [, missed] = presentations([presented(1000, 1, 100), presented(1240, 3, 300)], frameOf, sent, () => 0);
  assert.deepEqual([Math.round(missed!.timeMs), missed!.frame], [1223, 1]);
});

test('none is made up that was not sent, and none goes back', () => {
  assert.deepEqual(
    presentations([presented(10, 1, 500), presented(50, 9, 900)], frameOf, sent).map(({ frame }) => frame),
    [4, 8],
  );
  assert.deepEqual(
    presentations([presented(10, 1, 300), presented(30, 2, 200), presented(50, 3, 400)], frameOf, sent).map(
      ({ frame }) => frame,
    ),
    [2, 3],
  );
});
