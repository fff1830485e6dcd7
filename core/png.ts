/**
 * Writes PNG files with eight bits per sample and without interlacing (W3C PNG, third edition: sections 5, 9, 11.2).
 */
import { crc32, deflateSync } from 'node:zlib';

export const pngSignature = Buffer.from('89504e470d0a1a0a', 'hex');

function pngChunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const [length, check] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  check.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, check]);
}

/** Bytes per pixel for each colour type. Type 2: red, green and blue. Type 3: an index into the palette. */
const pixelBytes = { 2: 3, 3: 1 } as const;

/**
 * Returns the bytes of a PNG file. `pixels`: the pixels row by row. `palette`: red, green and blue of each colour, for
 * colour type 3.
 */
export function pngFile(
  { width, height, colourType }: { width: number; height: number; colourType: keyof typeof pixelBytes },
  pixels: Buffer,
  palette?: Buffer,
): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, colourType, 0, 0, 0], 8);
  const stride = width * pixelBytes[colourType];
  const rows = Buffer.alloc((stride + 1) * height); // the first byte of each row is its filter type: 0, none
  for (let row = 0; row < height; row++) pixels.copy(rows, row * (stride + 1) + 1, row * stride, (row + 1) * stride);
  return Buffer.concat([
    pngSignature,
    pngChunk('IHDR', header),
    ...(palette === undefined ? [] : [pngChunk('PLTE', palette)]),
    pngChunk('IDAT', deflateSync(rows)),
    pngChunk('IEND', Buffer.alloc(0)),
  ]);
}
