/**
 * A clip decoded once into memory: every frame uncompressed, found by its number.
 *
 * Looping is then an index that starts again: no seek, no decoder, and so no gap where the clip ends.
 * Frames of another size are scaled to fit, with black bars. The decoder is a program of its own (clip-decoder.ts).
 */
import { readFileSync } from 'node:fs';
import * as av from 'node-av';
import * as C from 'node-av/constants';
import { CoexistError } from '../../core/errors.ts';
import { emptyFrame, orThrow } from './av.ts';
import { withDecoder } from './clip-decoder.ts';
import type { DecodedClip } from './clip-decoder.ts';
import { framesOf } from './decoder-program.ts';

type ClipOptions = {
  width: number;
  height: number;
  /** Only the first so many seconds are used. */
  maxSeconds: number;
};

export type Clip = {
  path: string;
  /** Of the file. */
  source: Omit<DecodedClip, 'seconds'>;
  frameRate: number;
  frames: readonly av.Frame[];
};

/** The frame to show so many seconds after the start, looping for ever. */
export function frameIndexAt(seconds: number, frameRate: number, frameCount: number): number {
  return Math.floor(seconds * frameRate + 1e-6) % frameCount;
}

/** Memory that may still be used, bytes (proc(5), MemAvailable). */
function availableBytes(): number {
  return Number(/MemAvailable:\s+(\d+) kB/.exec(readFileSync('/proc/meminfo', 'utf8'))?.[1] ?? NaN) * 1024;
}

function requireMemory(frames: number, { width, height }: ClipOptions): void {
  const [needBytes, haveBytes] = [frames * width * height * 1.5, availableBytes()];
  if (!(needBytes > haveBytes * 0.7)) return;
  throw new CoexistError(
    'no-memory',
    `the clip needs ${Math.round(needBytes / 1e6)} MB of memory, ${Math.round(haveBytes / 1e6)} MB are free`,
    {
      hint: 'use less of it with --set service.clipLength=5s, or a smaller frame with --set service.height=360 --set service.width=640',
    },
  );
}

/** Decodes a clip. Throws `bad-clip` naming the file and the reason, `no-memory` where it would not fit. */
export async function loadClip(path: string, options: ClipOptions): Promise<Clip> {
  const { width, height, maxSeconds } = options;
  const words = [width, height, maxSeconds].map(String);
  return withDecoder(path, words, async ({ seconds, ...source }, pieces) => {
    const limit = Math.max(1, Math.floor(maxSeconds * source.frameRate));
    requireMemory(Math.min(limit, Math.ceil((seconds ?? Infinity) * source.frameRate)), options);
    const frames: av.Frame[] = [];
    try {
      for await (const planes of framesOf(pieces, width * height * 1.5)) {
        frames.push(frameOf(planes, options));
        if (frames.length > limit) throw new CoexistError('bad-clip', 'it has more frames than it says');
      }
      if (frames.length === 0) throw new CoexistError('bad-clip', 'not one frame could be decoded');
    } catch (error) {
      for (const frame of frames) frame.free();
      throw error;
    }
    return { path, source, frameRate: source.frameRate, frames };
  });
}

/** A frame of its own memory: what FFmpeg is given of JavaScript's it does not copy. */
function frameOf(planes: Buffer, { width, height }: ClipOptions): av.Frame {
  const frame = emptyFrame();
  Object.assign(frame, { width, height, format: C.AV_PIX_FMT_YUV420P });
  frame.sampleAspectRatio = new av.Rational(1, 1);
  orThrow(frame.getBuffer(), 'memory for a frame', 'no-memory');
  const { data, linesize } = frame;
  let from = 0;
  for (const [k, divisor] of [
    [0, 1],
    [1, 2],
    [2, 2],
  ] as const) {
    // a plane whose rows are not padded is one row
    const isPlain = linesize[k] === width / divisor;
    const rowBytes = (width / divisor) * (isPlain ? height / divisor : 1);
    const rows = isPlain ? 1 : height / divisor;
    for (let row = 0; row < rows; row++, from += rowBytes)
      planes.copy(data![k]!, row * linesize[k]!, from, from + rowBytes);
  }
  return frame;
}
