/** Decodes the frames of a kept video, as seen by a viewer who received all frames. */
import { fileURLToPath } from 'node:url';
import { z } from '../../core/schema/schema.ts';
import { decoded, framesOf } from '../../server/media/decoder-program.ts';
import type { LumaPlane } from './frame-number.ts';

const side = z.number().int().min(2).max(65_536).multipleOf(2);

/** Size of the number before the planes of a frame, bytes. */
const numberBytes = 8;

export type KeptFrame = {
  number: number;
  luma: LumaPlane;
  /** All planes (4:2:0, 8 bits), without padding of the rows. */
  planes: Buffer;
};

type Size = { width: number; height: number };

const video = {
  program: fileURLToPath(new URL('./decode-video.ts', import.meta.url)),
  words: [],
  facts: z.strictObject({ width: side, height: side }),
  what: 'the kept video',
  code: 'bad-run-folder',
  hints: {
    missing: 'it was removed from the run; without it nothing can be compared',
    broken: 'the file was changed or cut; run the trial again to keep another',
  },
} as const;

/**
 * Decodes a kept video in a program without privileges. Calls `use` with the frame size and the frames, in the order of
 * the video. A frame is valid until `use` requests the next one. Throws `bad-run-folder`, `timed-out`, or the errors of
 * `use`.
 */
export function withKeptVideo<T>(
  path: string,
  use: (size: Size, frames: AsyncIterable<KeptFrame>) => Promise<T>,
): Promise<T> {
  return decoded(video, path, (size, pieces) => use(size, keptFrames(size, pieces)));
}

async function* keptFrames({ width, height }: Size, pieces: AsyncIterable<Buffer>): AsyncGenerator<KeptFrame> {
  for await (const frame of framesOf(pieces, numberBytes + width * height * 1.5)) {
    const planes = frame.subarray(numberBytes);
    yield {
      number: Number(frame.readBigInt64LE(0)),
      luma: { data: planes.subarray(0, width * height), stride: width, width, height },
      planes,
    };
  }
}
