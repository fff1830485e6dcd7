import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Degradation, Ladder } from '../../../../server/media/ladder.ts';

const full = { width: 1280, height: 720, frameRate: 30 };

/** Calls the ladder every 33 ms; returns the rung after each step, as "height/period". */
function climb(degradation: Degradation, steps: readonly { bps: number; ms: number }[], of = full): string[] {
  const ladder = new Ladder(of, degradation);
  let nowMs = 0;
  return steps.map(({ bps, ms }) => {
    for (const endMs = nowMs + ms; nowMs < endMs; nowMs += 33) ladder.next(bps, nowMs);
    return `${ladder.rung.height}/${ladder.rung.period}`;
  });
}

test('"none" keeps size and frame rate whatever the rate', () => {
  assert.deepEqual(
    climb('none', [
      { bps: 10e3, ms: 10e3 },
      { bps: 10e6, ms: 10e3 },
    ]),
    ['720/1', '720/1'],
  );
});

test('size: down to what the rate carries, up a step at a time', () => {
  assert.deepEqual(
    climb('maintain-framerate', [
      { bps: 5e6, ms: 1000 },
      { bps: 600e3, ms: 1000 },
      { bps: 310e3, ms: 1000 },
      { bps: 20e3, ms: 1000 },
      { bps: 5e6, ms: 3500 },
      { bps: 5e6, ms: 20e3 },
    ]),
    ['720/1', '540/1', '360/1', '180/1', '270/1', '720/1'],
  );
});

test('frame rate: the size stays, periods are left out', () => {
  assert.deepEqual(
    climb('maintain-resolution', [
      { bps: 5e6, ms: 1000 },
      { bps: 600e3, ms: 1000 },
      { bps: 310e3, ms: 1000 },
      { bps: 20e3, ms: 1000 },
    ]),
    ['720/1', '720/2', '720/3', '720/6'],
  );
});

test('twice the frames need twice the rate', () => {
  const at = (frameRate: number, bps: number) =>
    climb('maintain-framerate', [{ bps, ms: 1000 }], { ...full, frameRate })[0];
  for (const bps of [200e3, 350e3, 600e3, 1e6]) assert.equal(at(60, 2 * bps), at(30, bps));
});

test('a dip shorter than half a second, and a rate that is just enough for more, change nothing', () => {
  assert.deepEqual(
    climb('maintain-framerate', [
      { bps: 5e6, ms: 1000 },
      { bps: 100e3, ms: 400 },
      { bps: 5e6, ms: 1000 },
    ]),
    ['720/1', '720/1', '720/1'],
  );
  assert.deepEqual(
    climb('maintain-framerate', [
      { bps: 600e3, ms: 1000 },
      { bps: 950e3, ms: 30e3 },
    ]),
    ['540/1', '540/1'],
  );
});

test('sizes stay even', () => {
  const ladder = new Ladder({ width: 854, height: 482, frameRate: 30 }, 'maintain-framerate');
  for (let nowMs = 0; nowMs < 2000; nowMs += 33) {
    const { width, height } = ladder.next(100e3, nowMs);
    assert.deepEqual([width % 2, height % 2], [0, 0]);
  }
});
