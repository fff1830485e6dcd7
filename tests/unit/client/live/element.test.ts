/** Tests the reader of third-party video elements in a simulated page. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { runInNewContext } from 'node:vm';
import type { ElementReading } from '../../../../client/wire.ts';
import { readPageFile } from '../../../../server/pages/page-file.ts';

const { body } = await readPageFile('live/element.ts');

type Video = {
  clientWidth: number;
  clientHeight: number;
  videoWidth: number;
  videoHeight: number;
  currentTime: number;
  paused: boolean;
  ended: boolean;
  [more: string]: unknown;
};

function video(change: Partial<Video> = {}): Video {
  return {
    clientWidth: 640,
    clientHeight: 360,
    videoWidth: 1280,
    videoHeight: 720,
    currentTime: 0,
    paused: false,
    ended: false,
    buffered: { length: 2, start: (k: number) => [0, 100][k], end: (k: number) => [12, 120][k] },
    getVideoPlaybackQuality: () => ({ totalVideoFrames: 50, droppedVideoFrames: 4 }),
    ...change,
  };
}

/** A page with these elements. `pass` advances the time in steps of 50 ms and makes a change in each step. */
function page(videos: Video[]) {
  let nowMs = 0;
  let poll = () => {};
  const context = {
    document: { querySelectorAll: () => videos },
    performance: { now: () => nowMs },
    setInterval: (each: () => void) => {
      poll = each;
    },
    coexistElement: (): ElementReading | null => null,
  };
  runInNewContext(body, context);
  return {
    read: () => context.coexistElement(),
    pass(ms: number, each: () => void = () => {}) {
      for (const endMs = nowMs + ms; nowMs < endMs; ) {
        nowMs += 50;
        each();
        poll();
      }
    },
  };
}

test('size, position, what is ahead of it, and frames', () => {
  const shown = video();
  const { pass, read } = page([shown]);
  pass(2000, () => {
    shown.currentTime += 0.05;
  });
  const { positionS, bufferS, ...rest } = read()!;
  assert.ok(Math.abs(positionS - 2) < 1e-6 && Math.abs(bufferS - 10) < 1e-6, `${positionS} and ${bufferS}`);
  assert.deepEqual(
    { ...rest },
    {
      area: 230_400,
      width: 1280,
      height: 720,
      stalls: 0,
      stalledMs: 0,
      openStallMs: 0,
      presentedFrames: 46,
      droppedFrames: 4,
    },
  );
});

test('a stall counts from when the position moved last, while it lasts and when it is over', () => {
  const shown = video();
  const { pass, read } = page([shown]);
  pass(1000, () => {
    shown.currentTime += 0.05;
  });
  pass(600);
  assert.deepEqual([read()!.stalls, read()!.stalledMs, read()!.openStallMs], [1, 600, 600]);
  pass(50, () => {
    shown.currentTime += 0.05;
  });
  pass(100);
  assert.deepEqual([read()!.stalls, read()!.stalledMs, read()!.openStallMs], [1, 650, 0], '100 ms are none');
});

test('what has not begun, is paused or is over does not stall', () => {
  const shown = video();
  const { pass, read } = page([shown]);
  pass(3000);
  assert.equal(read()!.stalledMs, 0);
  pass(500, () => {
    shown.currentTime += 0.05;
  });
  shown.paused = true;
  pass(3000);
  Object.assign(shown, { paused: false, ended: true });
  pass(3000);
  assert.equal(read()!.stalledMs, 0);
});

test('the largest counts, and one that takes its place begins anew', () => {
  const [small, large] = [video({ clientWidth: 10 }), video()];
  const videos = [small, large];
  const { pass, read } = page(videos);
  pass(500, () => {
    large.currentTime += 0.05;
  });
  pass(400);
  videos.pop();
  pass(1000);
  assert.deepEqual([read()!.area, read()!.stalls, read()!.openStallMs], [3600, 1, 0]);
});

test('a page without video has no reading', () => {
  assert.equal(page([]).read(), null);
  const { pass, read } = page([video({ videoWidth: 0 })]);
  pass(100);
  assert.equal(read(), null);
});
