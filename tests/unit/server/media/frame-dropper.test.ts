import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FrameDropper } from '../../../../server/media/frame-dropper.ts';

function dropped(ratio: number, of = 60): number {
  const dropper = new FrameDropper();
  dropper.setRatio(ratio);
  return Array.from({ length: of }, () => dropper.drops()).filter(Boolean).length;
}

test('one of every so many, at most every second, none for less than a hundredth', () => {
  assert.deepEqual(
    [0, 0.01, 0.1, 0.3, 0.34, 0.5, 0.9, 1].map(ratio => dropped(ratio)),
    [0, 0, 6, 20, 30, 30, 30, 30],
  );
});

test('a ratio that is taken back leaves nothing out', () => {
  const dropper = new FrameDropper();
  dropper.setRatio(0.5);
  assert.deepEqual([dropper.drops(), dropper.drops(), dropper.drops()], [true, false, true]);
  dropper.setRatio(0);
  assert.deepEqual([dropper.drops(), dropper.drops()], [false, false]);
});
