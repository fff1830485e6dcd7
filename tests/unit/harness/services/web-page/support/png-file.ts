/** A small PNG file made by hand, whose parts a test can replace. */
import { deflateSync } from 'node:zlib';

export const width = 4;
export const height = 5;
/** Red, green, blue and alpha of each pixel of the decoded image. */
export const wanted = Array.from({ length: width * height }, (_, pixel) => [
  (pixel * 7) % 256,
  (pixel * 31) % 256,
  255 - pixel,
  200,
]);

/** Returns the rows of the image. They use the filters none, sub, up, average and Paeth in turn. */
export function filteredRows(channels: 3 | 4): Buffer {
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
  return Buffer.from(rows);
}

/** Returns the content of the IHDR chunk. */
export function header(channels: 3 | 4, size: { width: number; height: number } = { width, height }): Buffer {
  const bytes = Buffer.from([0, 0, 0, 0, 0, 0, 0, 0, 8, channels === 3 ? 2 : 6, 0, 0, 0]);
  bytes.writeUInt32BE(size.width, 0);
  bytes.writeUInt32BE(size.height, 4);
  return bytes;
}

/** Returns a file that consists of these chunks. */
export function fileOf(...chunks: readonly [type: string, data: Buffer][]): Buffer {
  return Buffer.concat([
    Buffer.from('89504e470d0a1a0a', 'hex'),
    ...chunks.flatMap(([type, data]) => {
      const length = Buffer.alloc(4);
      length.writeUInt32BE(data.length);
      return [length, Buffer.from(type), data, Buffer.alloc(4)];
    }),
  ]);
}

/** Returns a file whose image data is divided into two chunks. */
export function pngFile(head: Buffer, rows: Buffer): Buffer {
  const data = deflateSync(rows);
  return fileOf(['IHDR', head], ['IDAT', data.subarray(0, 9)], ['IDAT', data.subarray(9)], ['IEND', Buffer.alloc(0)]);
}
