/**
 * PNG files (W3C PNG, third edition): writing images with a palette (sections 11.2, 11.3), reading what a browser
 * writes (sections 9, 10).
 */
import { crc32, deflateSync, inflateSync } from 'node:zlib';

const signature = Buffer.from('89504e470d0a1a0a', 'hex');

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const [length, check] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  check.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, check]);
}

/** `palette`: red, green, blue of each colour; `pixels`: a colour's number each, row by row. */
export function encodePng(width: number, height: number, palette: Buffer, pixels: Buffer): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 3, 0, 0, 0], 8); // eight bits a pixel, a palette, no interlacing
  const rows = Buffer.concat(
    Array.from({ length: height }, (_, row) =>
      Buffer.concat([Buffer.from([0]), pixels.subarray(row * width, (row + 1) * width)]),
    ),
  );
  return Buffer.concat([
    signature,
    chunk('IHDR', header),
    chunk('PLTE', palette),
    chunk('IDAT', deflateSync(rows)),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

/** More than a browser's window has. */
const mostPixels = 2 ** 24;

type Pixels = {
  width: number;
  height: number;
  /** Red, green, blue, alpha of each pixel, row by row. */
  data: Uint8Array;
};

/** Reads eight bits of red, green, blue and perhaps alpha, not interlaced; anything else is an error. */
export function decodePng(file: Buffer): Pixels {
  if (!file.subarray(0, 8).equals(signature)) throw new Error('not a PNG file');
  const parts: Buffer[] = [];
  let [width, height, channels] = [0, 0, 0];
  for (let at = 8; at + 12 <= file.length; ) {
    const length = file.readUInt32BE(at);
    const type = file.toString('latin1', at + 4, at + 8);
    const data = file.subarray(at + 8, at + 8 + length);
    if (type === 'IHDR') {
      [width, height] = [data.readUInt32BE(0), data.readUInt32BE(4)];
      channels = data[9] === 2 ? 3 : data[9] === 6 ? 4 : 0;
      if (data[8] !== 8 || channels === 0 || data[12] !== 0)
        throw new Error(`a PNG file of a kind that is not read (depth ${data[8]}, colour type ${data[9]})`);
    }
    if (type === 'IDAT') parts.push(data);
    at += 12 + length;
  }
  if (width * height > mostPixels)
    throw new Error(`an image of ${width}x${height} is larger than any that is asked for`);
  const rows = unfiltered(
    inflateSync(Buffer.concat(parts), { maxOutputLength: (width * channels + 1) * height + 1 }),
    width * channels,
    height,
    channels,
  );
  const data = new Uint8Array(width * height * 4).fill(255);
  for (let pixel = 0; pixel < width * height; pixel++)
    for (let k = 0; k < channels; k++) data[pixel * 4 + k] = rows[pixel * channels + k]!;
  return { width, height, data };
}

/** Undoes the filter of each row (section 9.2): none, sub, up, average, Paeth. */
function unfiltered(bytes: Buffer, stride: number, height: number, channels: number): Uint8Array {
  const out = new Uint8Array(stride * height);
  for (let y = 0; y < height; y++) {
    const filter = bytes[y * (stride + 1)]!;
    for (let x = 0; x < stride; x++) {
      const at = y * stride + x;
      const left = x < channels ? 0 : out[at - channels]!;
      const up = y === 0 ? 0 : out[at - stride]!;
      const corner = x < channels || y === 0 ? 0 : out[at - stride - channels]!;
      out[at] =
        bytes[y * (stride + 1) + 1 + x]! +
        (filter === 0
          ? 0
          : filter === 1
            ? left
            : filter === 2
              ? up
              : filter === 3
                ? (left + up) >> 1
                : paeth(left, up, corner));
    }
  }
  return out;
}

function paeth(left: number, up: number, corner: number): number {
  const [toLeft, toUp, toCorner] = [Math.abs(up - corner), Math.abs(left - corner), Math.abs(left + up - 2 * corner)];
  return toLeft <= toUp && toLeft <= toCorner ? left : toUp <= toCorner ? up : corner;
}
