import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  cellsOf,
  columns,
  type Look,
  rows,
  visualProgress,
} from '../../../../../harness/services/web-page/visual-progress.ts';

const count = columns * rows;

/** Returns a look of grey cells. The first `done` cells have their final look. */
function look(timeMs: number, done: number, level = 100): Look {
  const cells = new Float32Array(count * 3).fill(255);
  cells.fill(level, 0, done * 3);
  return { timeMs, cells };
}

test('95 % of what changes, and the mean over it', () => {
  // half of the cells at 100 ms, the other half at 300 ms; cells that stay white do not count
  const looks = [look(0, 0), look(100, 500), look(300, 1000)];
  assert.deepEqual(visualProgress(looks), { aboveTheFoldMs: 300, speedIndexMs: 200 });
  // 960 of 1000 cells at 100 ms
  assert.deepEqual(visualProgress([look(0, 0), look(100, 960), look(500, 1000)]), {
    aboveTheFoldMs: 100,
    speedIndexMs: 116,
  });
  assert.equal(visualProgress([look(0, 0), look(100, 940), look(500, 1000)])!.aboveTheFoldMs, 500);
});

test('a cell is done when it stays: what comes and goes is not', () => {
  assert.equal(visualProgress([look(0, 0), look(100, 1000), look(200, 0), look(300, 1000)])!.aboveTheFoldMs, 300);
});

test('a little noise is the same look', () => {
  assert.equal(visualProgress([look(0, 0), look(100, 1000, 103), look(200, 1000, 100)])!.aboveTheFoldMs, 100);
  assert.equal(visualProgress([look(0, 0), look(100, 1000, 106), look(200, 1000, 100)])!.aboveTheFoldMs, 200);
});

test('where nothing is seen or nothing changes there is no time', () => {
  assert.equal(visualProgress([]), undefined);
  assert.equal(visualProgress([look(0, 5), look(100, 5)]), undefined);
});

test('cells are means, whatever the size of the image', () => {
  for (const [width, height] of [
    [480, 270],
    [100, 60],
    [97, 55],
  ] as const) {
    const pixels = new Uint8Array(width * height * 4).fill(40);
    for (let y = 0; y < height; y++)
      for (let x = Math.ceil(width / 2); x < width; x++) pixels.set([200, 100, 0, 255], (y * width + x) * 4);
    const cells = cellsOf(pixels, width, height);
    assert.deepEqual([...cells.subarray(0, 3)], [40, 40, 40]);
    assert.deepEqual([...cells.subarray(-3)], [200, 100, 0]);
  }
});
