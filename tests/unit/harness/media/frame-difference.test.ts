import assert from 'node:assert/strict';
import { test } from 'node:test';
import { seededRandom } from '../../../../core/random.ts';
import { equalPsnrDb, psnrDb, ssim } from '../../../../harness/media/frame-difference.ts';
import type { LumaPlane } from '../../../../harness/media/frame-number.ts';

/** Returns a plane with pixels by `valueAt`. The padding of its rows is noise, which must not count. */
function plane(width: number, height: number, valueAt: (x: number, y: number) => number, padding = 5): LumaPlane {
  const stride = width + padding;
  const data = Buffer.alloc(stride * height, 0x5a + padding);
  for (let y = 0; y < height; y++) for (let x = 0; x < width; x++) data[y * stride + x] = valueAt(x, y);
  return { data, stride, width, height };
}

const flat = (value: number, padding?: number) => plane(32, 24, () => value, padding);
const near = (a: number, b: number) => assert.ok(Math.abs(a - b) < 1e-9, `${a} and ${b}`);

test('PSNR of a known error', () => {
  near(psnrDb(flat(100), flat(102)), 10 * Math.log10(255 ** 2 / 4)); // 42.11 dB
  near(psnrDb(flat(0), flat(255)), 0);
  near(
    psnrDb(
      plane(32, 24, x => (x === 0 ? 110 : 100)),
      flat(100),
    ),
    10 * Math.log10(255 ** 2 / (100 / 32)),
  ); // one column of 32 differs by 10
});

test('equal frames have the highest value, also where their rows are padded otherwise', () => {
  const noise = seededRandom(1);
  const values = Array.from({ length: 32 * 24 }, () => Math.floor(noise.next() * 256));
  const of = (padding: number) => plane(32, 24, (x, y) => values[y * 32 + x]!, padding);
  assert.equal(psnrDb(of(0), of(7)), equalPsnrDb);
  near(ssim(of(0), of(7)), 1);
});

test('SSIM of two even frames is that of their brightness', () => {
  const c1 = 2.55 ** 2;
  near(ssim(flat(100), flat(120)), (2 * 100 * 120 + c1) / (100 ** 2 + 120 ** 2 + c1)); // 0.98361
});

/**
 * Returns the SSIM by its definition, window by window: means, variances and covariance over 8 x 8 pixels, at every
 * fourth pixel.
 */
function ssimByDefinition(a: LumaPlane, b: LumaPlane): number {
  const [c1, c2] = [2.55 ** 2, 7.65 ** 2];
  const values: number[] = [];
  for (let top = 0; top + 8 <= a.height; top += 4) {
    for (let left = 0; left + 8 <= a.width; left += 4) {
      const pixels = (of: LumaPlane) =>
        Array.from({ length: 64 }, (_, i) => of.data[(top + (i >> 3)) * of.stride + left + (i % 8)]!);
      const [p, q] = [pixels(a), pixels(b)];
      const mean = (of: number[]) => of.reduce((sum, value) => sum + value, 0) / 64;
      const [meanP, meanQ] = [mean(p), mean(q)];
      const spread = (u: number[], meanU: number, v: number[], meanV: number) =>
        u.reduce((sum, value, i) => sum + (value - meanU) * (v[i]! - meanV), 0) / 63;
      values.push(
        ((2 * meanP * meanQ + c1) * (2 * spread(p, meanP, q, meanQ) + c2)) /
          ((meanP ** 2 + meanQ ** 2 + c1) * (spread(p, meanP, p, meanP) + spread(q, meanQ, q, meanQ) + c2)),
      );
    }
  }
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

test('SSIM is as its definition has it, for any frames, also of sizes that no window fits', () => {
  const random = seededRandom(2);
  for (const [width, height] of [
    [8, 8],
    [32, 24],
    [33, 26],
    [15, 19],
  ] as const) {
    const noise = () => plane(width, height, (x, y) => Math.min(255, Math.floor(random.next() * 40) + x * 3 + y));
    const [a, b] = [noise(), noise()];
    near(ssim(a, b), ssimByDefinition(a, b));
  }
});

test('more noise is a lower value of both', () => {
  const of = (strength: number) => {
    const random = seededRandom(3);
    return plane(64, 48, (x, y) => 60 + x + y + Math.round((random.next() - 0.5) * strength));
  };
  const clean = of(0);
  const scores = [4, 16, 64].map(strength => [psnrDb(of(strength), clean), ssim(of(strength), clean)] as const);
  for (const [i, [psnr, similarity]] of scores.entries()) {
    const [psnrBefore, similarityBefore] = scores[i - 1] ?? [Infinity, 1];
    assert.ok(psnr < psnrBefore && similarity < similarityBefore, JSON.stringify(scores));
  }
});
