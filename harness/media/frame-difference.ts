/**
 * Measures of the difference between two frames, computed from their luma: PSNR, and SSIM (Wang, Bovik, Sheikh,
 * Simoncelli, "Image quality assessment: from error visibility to structural similarity", 2004).
 *
 * Deviation from the paper, as in x264 and FFmpeg: SSIM uses windows of 8 x 8 pixels with even weights, one every four
 * pixels, in place of a Gaussian of 11 x 11.
 */
import type { LumaPlane } from './frame-number.ts';

const peak = 255;
/**
 * PSNR that stands for equal frames, dB, since JSON has no infinity. The smallest difference in a frame of 1080p gives
 * 111 dB.
 */
export const equalPsnrDb = 100;

export function psnrDb(a: LumaPlane, b: LumaPlane): number {
  let squares = 0;
  for (let y = 0; y < a.height; y++) {
    const [rowA, rowB] = [y * a.stride, y * b.stride];
    for (let x = 0; x < a.width; x++) {
      const difference = a.data[rowA + x]! - b.data[rowB + x]!;
      squares += difference * difference;
    }
  }
  return squares === 0
    ? equalPsnrDb
    : Math.min(equalPsnrDb, 10 * Math.log10((peak * peak * a.width * a.height) / squares));
}

const block = 4;
const windowPixels = 64;
const c1 = (0.01 * peak) ** 2;
const c2 = (0.03 * peak) ** 2;
/** Number of sums for each block: the sums of a, of b, of the squares of both, and of the product of both. */
const sums = 4;

/** Writes the sums of each block of 4 x 4 pixels into `row`, for one row of blocks. */
function sumBlocks(a: LumaPlane, b: LumaPlane, blockRow: number, row: Float64Array): void {
  row.fill(0);
  for (let y = blockRow * block; y < (blockRow + 1) * block; y++) {
    const [rowA, rowB] = [y * a.stride, y * b.stride];
    for (let x = 0; x < Math.floor(a.width / block) * block; x++) {
      const [p, q] = [a.data[rowA + x]!, b.data[rowB + x]!];
      const at = (x >> 2) * sums;
      row[at]! += p;
      row[at + 1]! += q;
      row[at + 2]! += p * p + q * q;
      row[at + 3]! += p * q;
    }
  }
}

/** Returns the SSIM of one window, from the sums over its pixels. */
function similarity(sumA: number, sumB: number, squares: number, products: number): number {
  const [meanA, meanB] = [sumA / windowPixels, sumB / windowPixels];
  const variances = (squares - windowPixels * (meanA * meanA + meanB * meanB)) / (windowPixels - 1);
  const covariance = (products - windowPixels * meanA * meanB) / (windowPixels - 1);
  return ((2 * meanA * meanB + c1) * (2 * covariance + c2)) / ((meanA * meanA + meanB * meanB + c1) * (variances + c2));
}

/**
 * Returns the SSIM of two frames: the mean over all windows, which is 1 for equal frames. Both frames must have the
 * same size, at least 8 x 8.
 */
export function ssim(a: LumaPlane, b: LumaPlane): number {
  const blocks = Math.floor(a.width / block);
  const rows = Math.floor(a.height / block);
  let [above, here] = [new Float64Array(blocks * sums), new Float64Array(blocks * sums)];
  let total = 0;
  sumBlocks(a, b, 0, above);
  for (let y = 1; y < rows; y++) {
    sumBlocks(a, b, y, here);
    for (let x = 0; x + 1 < blocks; x++) {
      const at = x * sums;
      const window = (k: number) => above[at + k]! + above[at + sums + k]! + here[at + k]! + here[at + sums + k]!;
      total += similarity(window(0), window(1), window(2), window(3));
    }
    [above, here] = [here, above];
  }
  return total / ((blocks - 1) * (rows - 1));
}
