import assert from 'node:assert/strict';
import { test } from 'node:test';
import { deflateSync } from 'node:zlib';
import { decodePng } from '../../../../../harness/services/web-page/png.ts';

const width = 4;
const height = 5;
const wanted = Array.from({ length: width * height }, (_, pixel) => [
  (pixel * 7) % 256,
  (pixel * 31) % 256,
  255 - pixel,
  200,
]);

/** A file of red, green, blue (and alpha) whose rows take one filter after another: none, sub, up, average, Paeth. */
function file(channels: 3 | 4): Buffer {
  const at = (x: number, y: number, k: number) => (x < 0 || y < 0 ? 0 : wanted[y * width + x]![k]!);
  const rows: number[] = [];
  for (let y = 0; y < height; y++) {
    rows.push(y % 5);
    for (let x = 0; x < width; x++) {
      for (let k = 0; k < channels; k++) {
        const [left, up, corner] = [at(x - 1, y, k), at(x, y - 1, k), at(x - 1, y - 1, k)];
        const estimate = left + up - corner;
        const nearest = [left, up, corner].reduce((best, value) =>
          Math.abs(estimate - value) < Math.abs(estimate - best) ? value : best,
        );
        rows.push((at(x, y, k) - [0, left, up, Math.floor((left + up) / 2), nearest][y % 5]! + 256) % 256);
      }
    }
  }
  const chunk = (type: string, data: Buffer) => {
    const length = Buffer.alloc(4);
    length.writeUInt32BE(data.length);
    return Buffer.concat([length, Buffer.from(type), data, Buffer.alloc(4)]);
  };
  const header = Buffer.from([0, 0, 0, width, 0, 0, 0, height, 8, channels === 3 ? 2 : 6, 0, 0, 0]);
  const data = deflateSync(Buffer.from(rows));
  return Buffer.concat([
    Buffer.from('89504e470d0a1a0a', 'hex'),
    chunk('IHDR', header),
    chunk('IDAT', data.subarray(0, 9)),
    chunk('IDAT', data.subarray(9)),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

for (const channels of [3, 4] as const) {
  test(`${channels} channels, every filter, data in several chunks`, () => {
    const pixels = decodePng(file(channels));
    assert.deepEqual([pixels.width, pixels.height], [width, height]);
    assert.deepEqual(
      [...pixels.data],
      wanted.flatMap(([red, green, blue, alpha]) => [red, green, blue, channels === 4 ? alpha : 255]),
    );
  });
}
