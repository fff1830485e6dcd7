/**
 * Writes PNG images with a palette and reads the PNG screenshots of a browser (W3C PNG, third edition; sections 11.2,
 * 11.3 and 9, 10).
 */
import { inflateSync } from 'node:zlib';
import { CoexistError, messageOf } from '../../../core/errors.ts';
import { pngFile, pngSignature as signature } from '../../../core/png.ts';

/**
 * Encodes an image. `palette`: red, green and blue of each colour. `pixels`: colour number of each pixel, row by row.
 */
export const encodePng = (width: number, height: number, palette: Buffer, pixels: Buffer): Buffer =>
  pngFile({ width, height, colourType: 3 }, pixels, palette);

/**
 * Maximum number of pixels of an image, four times as many as a requested screenshot has. Decoding takes processor time
 * of the harness.
 */
const mostPixels = 2 ** 19;

type Pixels = {
  width: number;
  height: number;
  /** Red, green, blue and alpha of each pixel, row by row. */
  data: Uint8Array;
};

function unreadable(what: string, cause?: unknown): CoexistError {
  return new CoexistError('browser-failed', `the browser's screenshot cannot be read: ${what}`, { cause });
}

/** Yields the chunks of a file up to the end chunk. */
function* chunksOf(file: Buffer): Generator<{ type: string; data: Buffer }> {
  for (let at = signature.length; at < file.length; ) {
    const end = at + 12 + (at + 4 <= file.length ? file.readUInt32BE(at) : 0);
    if (end > file.length) throw unreadable('it is cut off');
    const type = file.toString('latin1', at + 4, at + 8);
    if (type === 'IEND') return;
    yield { type, data: file.subarray(at + 8, end - 4) };
    at = end;
  }
}

/**
 * Decodes an image that has eight bits each of red, green, blue and perhaps alpha, and is not interlaced. Throws
 * `browser-failed` for other images.
 */
export function decodePng(file: Buffer): Pixels {
  if (!file.subarray(0, signature.length).equals(signature)) throw unreadable('it is no PNG file');
  const [head, ...others] = chunksOf(file);
  if (head?.type !== 'IHDR' || head.data.length !== 13) throw unreadable('it has no header');
  const [width, height] = [head.data.readUInt32BE(0), head.data.readUInt32BE(4)];
  const [depth, colourType, , , interlacing] = head.data.subarray(8);
  const channels = colourType === 2 ? 3 : colourType === 6 ? 4 : 0;
  if (depth !== 8 || channels === 0 || interlacing !== 0)
    throw unreadable(`it has depth ${depth} and colour type ${colourType}, and interlacing ${interlacing}`);
  if (width === 0 || height === 0 || width * height > mostPixels)
    throw unreadable(`it has ${width}x${height} pixels, and no page looks like that`);
  const stride = width * channels;
  const compressed = others.flatMap(({ type, data }) => (type === 'IDAT' ? [data] : []));
  const bytes = inflated(Buffer.concat(compressed), (stride + 1) * height);
  const rows = unfiltered(bytes, stride, height, channels);
  const data = new Uint8Array(width * height * 4).fill(255);
  for (let pixel = 0; pixel < width * height; pixel++)
    for (let k = 0; k < channels; k++) data[pixel * 4 + k] = rows[pixel * channels + k]!;
  return { width, height, data };
}

/** Decompresses image data. `wanted`: number of bytes that the image must have. */
function inflated(data: Buffer, wanted: number): Buffer {
  let bytes: Buffer;
  try {
    bytes = inflateSync(data, { maxOutputLength: wanted });
  } catch (error) {
    throw unreadable(`its data: ${messageOf(error)}`, error);
  }
  if (bytes.length !== wanted) throw unreadable(`its data have ${bytes.length} bytes, not ${wanted}`);
  return bytes;
}

/** Reverses the filter of each row (section 9.2): none, sub, up, average, Paeth. */
function unfiltered(bytes: Buffer, stride: number, height: number, channels: number): Uint8Array {
  const out = new Uint8Array(stride * height);
  for (let y = 0; y < height; y++) {
    const filter = bytes[y * (stride + 1)]!;
    if (filter > 4) throw unreadable(`its row ${y + 1} has filter ${filter}`);
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
