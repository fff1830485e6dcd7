/**
 * PSNR and SSIM of luma against FFmpeg 9.0.2's filters psnr (psnr_y) and ssim (Y), of two made frames 64 x 48 (4:2:0,
 * grey chroma). FFmpeg's SSIM rounds its constants to whole numbers, hence the tolerance.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { seededRandom } from '../../core/random.ts';
import { psnrDb, ssim } from '../../harness/media/frame-difference.ts';

const width = 64;
const height = 48;

/** A slope with waves, and noise of a strength. */
function pattern(strength: number, shift: number): Buffer {
  const random = seededRandom(11);
  return Buffer.from(
    Uint8Array.from({ length: width * height }, (_, i) => {
      const [x, y] = [(i % width) + shift, Math.floor(i / width)];
      return Math.max(
        0,
        Math.min(
          255,
          Math.round(110 + x + 0.5 * y + 30 * Math.sin(x / 5) * Math.cos(y / 7) + (random.next() - 0.5) * strength),
        ),
      );
    }),
  );
}

const plane = (data: Buffer) => ({ data, stride: width, width, height });

for (const { name, strength, shift, psnr, similarity } of [
  { name: 'weak noise', strength: 6, shift: 0, psnr: 43.15, similarity: 0.981373 },
  { name: 'strong noise', strength: 60, shift: 0, psnr: 23.37, similarity: 0.379902 },
  { name: 'moved by three pixels', strength: 0, shift: 3, psnr: 28.36, similarity: 0.857906 },
]) {
  test(`${name}: ${psnr} dB, ${similarity}`, () => {
    const [shown, wanted] = [plane(pattern(strength, shift)), plane(pattern(0, 0))];
    assert.equal(psnrDb(shown, wanted).toFixed(2), psnr.toFixed(2));
    assert.ok(Math.abs(ssim(shown, wanted) - similarity) < 1e-4, `${ssim(shown, wanted)}`);
  });
}
