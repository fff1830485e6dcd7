/**
 * Computes from screenshots when the visible part of a page looked finished. Each screenshot is divided into cells. A
 * cell is done from the time at which it stays within `sameLevels` of its final look. Cells that never change are left
 * out.
 *
 * The time at which 95 % of the cells are done is the paper's page load time (Philip et al., section 5.2:
 * above-the-fold). The mean of the times at which cells are done is the area above the curve of visual progress: the
 * Speed Index (Meenan, WebPagetest), with progress counted in cells.
 */
export const columns = 96;
export const rows = 54;

/**
 * Largest sum of differences in red, green and blue between cells that look the same. Scaling and a blinking edge cause
 * such differences.
 */
const sameLevels = 12;

/** Look of the page at one time. `cells`: mean red, green and blue of each cell, row by row. */
export type Look = { timeMs: number; cells: Float32Array };

type VisualProgress = { aboveTheFoldMs: number; speedIndexMs: number };

/** Returns the mean colours of the cells of a screenshot (four bytes per pixel: red, green, blue, unused). */
export function cellsOf(pixels: Uint8Array, width: number, height: number): Float32Array {
  const cells = new Float32Array(columns * rows * 3);
  const counts = new Uint32Array(columns * rows);
  for (let y = 0; y < height; y++) {
    const row = Math.floor((y * rows) / height);
    for (let x = 0; x < width; x++) {
      const cell = row * columns + Math.floor((x * columns) / width);
      counts[cell]!++;
      for (let k = 0; k < 3; k++) cells[cell * 3 + k]! += pixels[(y * width + x) * 4 + k]!;
    }
  }
  for (let cell = 0; cell < counts.length; cell++)
    for (let k = 0; k < 3; k++) cells[cell * 3 + k]! /= Math.max(1, counts[cell]!);
  return cells;
}

function same(a: Look, b: Look, cell: number): boolean {
  let difference = 0;
  for (let at = cell * 3; at < cell * 3 + 3; at++) difference += Math.abs(a.cells[at]! - b.cells[at]!);
  return difference <= sameLevels;
}

/**
 * Returns the visual progress, with times on the clock of `looks`. `looks`: looks of one load, in the order of time.
 * Undefined if no cell changed.
 */
export function visualProgress(looks: readonly Look[]): VisualProgress | undefined {
  const last = looks.at(-1);
  if (last === undefined) return undefined;
  const doneMs: number[] = [];
  for (let cell = 0; cell < columns * rows; cell++) {
    const other = looks.findLastIndex(look => !same(look, last, cell));
    if (other >= 0 && !same(looks[0]!, last, cell)) doneMs.push(looks[other + 1]!.timeMs);
  }
  if (doneMs.length === 0) return undefined;
  doneMs.sort((a, b) => a - b);
  return {
    aboveTheFoldMs: doneMs[Math.ceil(0.95 * doneMs.length) - 1]!,
    speedIndexMs: doneMs.reduce((sum, ms) => sum + ms, 0) / doneMs.length,
  };
}
