/**
 * Writes a clip as a YUV4MPEG2 file, which Chromium plays in a loop as the picture of a camera
 * (--use-file-for-fake-video-capture).
 *
 * node harness/media/write-y4m.ts CLIP WIDTH HEIGHT FRAMERATE SECONDS MATRIX FILE
 *
 * Every frame is WIDTH x HEIGHT, 4:2:0. The clip is converted to FRAMERATE by leaving frames out or repeating them
 * (server/media/frame-times.ts). MATRIX is the colour matrix. The exit status is 0, or there is an error line and the
 * status is 1 if the clip is the cause, 2 if the machine is.
 */
import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import type { Writable } from 'node:stream';
import * as C from 'node-av/constants';
import * as av from 'node-av/lib';
import { frameRateFraction } from '../../core/text/frame-rate.ts';
import { loadClip } from '../../server/media/clip.ts';
import { type StreamMatrix, streamMatrices } from '../../server/media/frame-colours.ts';
import { frameIndexAt } from '../../server/media/frame-times.ts';
import { runProgram } from './program.ts';
import { putWhole } from './whole-file.ts';

type Shape = { width: number; height: number; frameRate: number; seconds: number; matrix: StreamMatrix };

/** Returns the rows of a plane, without their padding. */
function plane(data: Buffer, stride: number, width: number, height: number): Buffer {
  if (stride === width) return data.subarray(0, width * height);
  return Buffer.concat(Array.from({ length: height }, (_, row) => data.subarray(row * stride, row * stride + width)));
}

async function write(out: Writable, chunk: Buffer | string): Promise<void> {
  if (!out.write(chunk)) await once(out, 'drain');
}

export async function writeY4m(
  path: string,
  { width, height, frameRate, seconds, matrix }: Shape,
  file: string,
): Promise<void> {
  const clip = await loadClip(path, { width, height, maxSeconds: seconds, matrix });
  const writeTo = async (partial: string) => {
    const out = createWriteStream(partial);
    const failed = once(out, 'error').then(([error]) => {
      throw error;
    });
    failed.catch(() => {});
    const { times } = clip;
    const frameCount = Math.max(1, Math.floor(times.seconds * frameRate + 1e-6));
    const { num, den } = frameRateFraction(frameRate);
    const all = async () => {
      await write(out, `YUV4MPEG2 W${width} H${height} F${num}:${den} Ip A1:1 C420jpeg\n`);
      for (let number = 0; number < frameCount; number++) {
        const { data, linesize } = clip.frames[frameIndexAt(times, number / frameRate, 1 / frameRate)]!;
        await write(out, 'FRAME\n');
        for (const [k, divisor] of [
          [0, 1],
          [1, 2],
          [2, 2],
        ] as const)
          await write(out, plane(data![k]!, linesize[k]!, width / divisor, height / divisor));
      }
      out.end();
      await once(out, 'close');
    };
    try {
      await Promise.race([all(), failed]);
    } finally {
      out.destroy();
    }
  };
  try {
    await putWhole(file, '', writeTo);
  } finally {
    for (const frame of clip.frames) frame.free();
  }
}

if (process.argv[1] === import.meta.filename) {
  av.Log.setLevel(C.AV_LOG_QUIET);
  await runProgram(
    'write-y4m.ts CLIP WIDTH HEIGHT FRAMERATE SECONDS MATRIX FILE',
    (path, width, height, frameRate, seconds, matrix, file) =>
      writeY4m(
        path!,
        {
          width: Number(width),
          height: Number(height),
          frameRate: Number(frameRate),
          seconds: Number(seconds),
          matrix: streamMatrices.find(name => name === matrix) ?? 'bt709',
        },
        file!,
      ),
  );
}
