/**
 * IVF, the file format for the encoded frames of a viewing: a header, then the frames, each with its length and time
 * (defined by libvpx, ivfdec.c; FFmpeg reads the format). The time is the number of the frame's period. A missing
 * number is a period without a frame.
 */
import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { CoexistError } from '../../core/errors.ts';
import { frameRateFraction } from '../../core/text/frame-rate.ts';

/** Name of the IVF file in the trial's folder. */
export const videoFileName = 'video.ivf';

const headerBytes = 32;
const frameHeaderBytes = 12;

export type VideoFacts = { width: number; height: number; frameRate: number };

export function ivfHeader({ width, height, frameRate }: VideoFacts): Buffer {
  const header = Buffer.alloc(headerBytes);
  header.write('DKIF', 0, 'latin1');
  header.writeUInt16LE(headerBytes, 6);
  header.write('H264', 8, 'latin1');
  header.writeUInt16LE(width, 12);
  header.writeUInt16LE(height, 14);
  const { num, den } = frameRateFraction(frameRate);
  header.writeUInt32LE(num, 16);
  header.writeUInt32LE(den, 20);
  return header;
}

export function ivfFrame(number: number, data: Buffer): Buffer {
  const header = Buffer.alloc(frameHeaderBytes);
  header.writeUInt32LE(data.length, 0);
  header.writeBigUInt64LE(BigInt(number), 4);
  return Buffer.concat([header, data]);
}

type KeptFrame = { number: number; data: Buffer };

/**
 * Reads the frames of an IVF file one after another. `source`: path of the file, or descriptor of the open file. A
 * frame that is cut off at the end of the file is left out. Throws `bad-run-folder` if the file has another format.
 */
export function* readIvf(source: string | number): Generator<KeptFrame> {
  const file = typeof source === 'number' ? source : openSync(source, 'r');
  try {
    const sizeBytes = fstatSync(file).size;
    const read = (position: number, length: number) => {
      const buffer = Buffer.alloc(length);
      return readSync(file, buffer, 0, length, position) === length ? buffer : undefined;
    };
    if (read(0, headerBytes)?.toString('latin1', 0, 4) !== 'DKIF')
      throw new CoexistError('bad-run-folder', `${typeof source === 'number' ? 'it' : source} is no IVF file`);
    for (let position = headerBytes; position + frameHeaderBytes <= sizeBytes; ) {
      const header = read(position, frameHeaderBytes)!;
      const lengthBytes = header.readUInt32LE(0);
      position += frameHeaderBytes;
      if (position + lengthBytes > sizeBytes) return;
      yield { number: Number(header.readBigUInt64LE(4)), data: read(position, lengthBytes)! };
      position += lengthBytes;
    }
  } finally {
    if (typeof source !== 'number') closeSync(file);
  }
}
