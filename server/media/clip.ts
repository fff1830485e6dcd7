/**
 * A clip in memory: all frames, decoded once and uncompressed, with their display times (frame-times.ts).
 *
 * A loop of the clip then needs no seek, no decoder and no gap: only the time starts again. Frames of another size are
 * scaled to fit between black bars. A separate program decodes the clip (clip-decoder.ts).
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
  /** Length of the part of the clip that is used, from the start, s. */
  maxSeconds: number;
  /** Colour matrix of the decoded frames; BT.709 by default. */
  matrix?: StreamMatrix;
};

export type Clip = {
  path: string;
  facts: ClipFacts;
  times: ClipTimes;
  frames: readonly av.Frame[];
};

/** Returns the available memory in bytes (proc(5), MemAvailable). */
function availableBytes(): number {
  return Number(/MemAvailable:\s+(\d+) kB/.exec(readFileSync('/proc/meminfo', 'utf8'))?.[1] ?? NaN) * 1024;
}

/** Largest share of the available memory that a clip may use. */
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

/** Throws `no-memory` if `frames` frames of this size do not fit into the available memory. */
export function requireMemory(frames: number, size: Size): void {
  const [needBytes, haveBytes] = [bytesOf(frames, size), availableBytes()];
  if (needBytes > haveBytes * mostOfFree) throw noMemory(String(Math.round(needBytes / 1e6)), haveBytes);
}

/**
 * Decodes a clip into memory. Throws `bad-clip` with the file and the reason, `no-memory` if the clip does not fit into
 * memory.
 */
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

/**
 * Makes the clip. If the facts count fewer frames, the last frames are dropped, so that an even clip has whole periods.
 */
function clipOf(path: string, facts: ClipFacts, startsS: number[], frames: av.Frame[]): Clip {
  if (facts.frames > frames.length) throw new CoexistError('bad-clip', 'it has fewer frames than it says');
  for (const frame of frames.splice(facts.frames)) frame.free();
  const { seconds, frameRate } = facts;
  return { path, facts, times: { startsS: startsS.slice(0, facts.frames), seconds, frameRate }, frames };
}

/** Returns a frame with a copy of the planes in its own memory. FFmpeg itself does not copy buffers of JavaScript. */
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
    // A plane without row padding is copied at once.
    const isPlain = linesize[k] === width / divisor;
    const rowBytes = (width / divisor) * (isPlain ? height / divisor : 1);
    const rows = isPlain ? 1 : height / divisor;
    for (let row = 0; row < rows; row++, from += rowBytes)
      planes.copy(data![k]!, row * linesize[k]!, from, from + rowBytes);
  }
  return frame;
}
