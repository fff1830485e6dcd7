/**
 * Machine-readable frame number, painted into a frame as a row of black and white cells along the upper edge.
 *
 * 20 cells of 1/32 of the frame's width: white, black, 14 bits of the number (highest first), 3 check bits, and a last
 * cell that is the opposite of the previous one. The number stays readable after scaling and heavy compression, because
 * a cell has 40 x 40 pixels at 720p, and the reader averages its middle half.
 */

const dataBits = 14;
const checkBits = 3;
const cells = 2 + dataBits + checkBits + 1;
const cellsPerWidth = 32;
const black = 16;
const white = 235;

/** Luma plane of a frame. A row takes `stride` bytes. */
export type LumaPlane = { data: Buffer; stride: number; width: number; height: number };

export const maxFrameNumber = 2 ** dataBits - 1;

/** Returns the check bits of a number: the remainder of its division by x^3 + x + 1. */
function checkOf(number: number): number {
  let remainder = number << checkBits;
  for (let bit = dataBits + checkBits - 1; bit >= checkBits; bit--) {
    if ((remainder >> bit) & 1) remainder ^= 0b1011 << (bit - checkBits);
  }
  return remainder;
}

function cellValues(number: number): number[] {
  const bits = (number << checkBits) | checkOf(number);
  const values = [1, 0];
  for (let bit = dataBits + checkBits - 1; bit >= 0; bit--) values.push((bits >> bit) & 1);
  values.push(1 - values.at(-1)!);
  return values;
}

export function paintFrameNumber(plane: LumaPlane, number: number): void {
  if (!Number.isInteger(number) || number < 0 || number > maxFrameNumber)
    throw new RangeError(`frame number ${number} is not in 0..${maxFrameNumber}`);
  const size = plane.width / cellsPerWidth;
  for (const [cell, value] of cellValues(number).entries()) {
    for (let y = 0; y < Math.round(size); y++) {
      const row = y * plane.stride;
      plane.data.fill(value === 1 ? white : black, row + Math.round(cell * size), row + Math.round((cell + 1) * size));
    }
  }
}

/** Returns the number painted in a frame; undefined if the number cannot be read. */
export function readFrameNumber(plane: LumaPlane): number | undefined {
  const size = plane.width / cellsPerWidth;
  const bits: number[] = [];
  for (let cell = 0; cell < cells; cell++) {
    let sum = 0;
    let count = 0;
    for (let y = Math.floor(size * 0.25); y < size * 0.75; y++) {
      for (let x = Math.floor((cell + 0.25) * size); x < (cell + 0.75) * size; x++) {
        sum += plane.data[y * plane.stride + x]!;
        count++;
      }
    }
    bits.push(sum / count > (black + white) / 2 ? 1 : 0);
  }
  const number = bits.slice(2, 2 + dataBits).reduce((value, bit) => (value << 1) | bit, 0);
  return cellValues(number).every((value, i) => value === bits[i]) ? number : undefined;
}
