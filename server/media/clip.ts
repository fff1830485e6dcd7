/**
 * A clip decoded once into memory: every frame uncompressed, with the time at which it is shown (frame-times.ts).
 *
 * Looping is then a time that starts again: no seek, no decoder, and so no gap where the clip ends.
 * Frames of another size are scaled to fit, with black bars. The decoder is a program of its own (clip-decoder.ts).
 */
import { readFileSync } from 'node:fs';
import * as C from 'node-av/constants';
import * as av from 'node-av/lib';
import { CoexistError } from '../../core/errors.ts';
import type { ClipFacts } from '../../core/vocabulary/clip-facts.ts';
import { emptyFrame, orThrow } from './av.ts';
import { withDecoder } from './clip-decoder.ts';
import { clipRecords } from './clip-records.ts';
import type { StreamMatrix } from './frame-colours.ts';
import type { ClipTimes } from './frame-times.ts';

type ClipOptions = {
  width: number;
  height: number;
  /** Only the first so many seconds are used. */
  maxSeconds: number;
  /** Of the colours; without it, BT.709. */
  matrix?: StreamMatrix;
};

export type Clip = {
  path: string;
  facts: ClipFacts;
  times: ClipTimes;
  frames: readonly av.Frame[];
};

/** Memory that may still be used, bytes (proc(5), MemAvailable). */
function availableBytes(): number {
  return Number(/MemAvailable:\s+(\d+) kB/.exec(readFileSync('/proc/meminfo', 'utf8'))?.[1] ?? NaN) * 1024;
}

/** Share of the free memory that a clip may take. */
const mostOfFree = 0.7;

type Size = Pick<ClipOptions, 'width' | 'height'>;

const bytesOf = (frames: number, { width, height }: Size) => frames * width * height * 1.5;

function noMemory(needs: string, haveBytes: number): CoexistError {
  return new CoexistError(
    'no-memory',
    `the clip needs ${needs} MB of memory, ${Math.round(haveBytes / 1e6)} MB are free`,
    {
      hint: 'use less of it with --set service.clipLength=5s, or a smaller frame with --set service.height=360 --set service.width=640',
    },
  );
}

/** Throws `no-memory` where so many frames would not fit into this machine's memory. */
export function requireMemory(frames: number, size: Size): void {
  const [needBytes, haveBytes] = [bytesOf(frames, size), availableBytes()];
  if (needBytes > haveBytes * mostOfFree) throw noMemory(String(Math.round(needBytes / 1e6)), haveBytes);
}

/** Decodes a clip. Throws `bad-clip` naming the file and the reason, `no-memory` where it would not fit. */
export async function loadClip(path: string, options: ClipOptions): Promise<Clip> {
  const { width, height, maxSeconds, matrix = 'bt709' } = options;
  const words = [width, height, maxSeconds, matrix].map(String);
  return withDecoder(path, words, async (_, pieces) => {
    const frames: av.Frame[] = [];
    const startsS: number[] = [];
    const haveBytes = availableBytes();
    const requireOneMore = () => {
      const needBytes = bytesOf(frames.length + 1, options);
      if (needBytes > haveBytes * mostOfFree) throw noMemory(`at least ${Math.ceil(needBytes / 1e6)}`, haveBytes);
    };
    requireOneMore();
    try {
      for await (const record of clipRecords(pieces, width * height * 1.5)) {
        if ('facts' in record) return clipOf(path, record.facts, startsS, frames);
        if (!(record.startS >= (startsS.at(-1) ?? 0) && record.startS <= maxSeconds))
          throw new CoexistError('bad-clip', 'its frames are not in order');
        requireOneMore();
        frames.push(frameOf(record.planes, options));
        startsS.push(record.startS);
      }
      throw new CoexistError('bad-clip', 'the decoder does not say what it is');
    } catch (error) {
      for (const frame of frames) frame.free();
      throw error;
    }
  });
}

/** Of what was decoded: the last frame may not be whole periods of the clip any more. */
function clipOf(path: string, facts: ClipFacts, startsS: number[], frames: av.Frame[]): Clip {
  if (facts.frames > frames.length) throw new CoexistError('bad-clip', 'it has fewer frames than it says');
  for (const frame of frames.splice(facts.frames)) frame.free();
  const { seconds, frameRate } = facts;
  return { path, facts, times: { startsS: startsS.slice(0, facts.frames), seconds, frameRate }, frames };
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
