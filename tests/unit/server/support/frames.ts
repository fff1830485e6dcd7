/** Raw frames for the tests of encoder and packetizer. */

import * as C from 'node-av/constants';
import * as av from 'node-av/lib';
import { seededRandom } from '../../../../core/random.ts';
import { emptyFrame, orThrow } from '../../../../server/media/av.ts';

av.Log.setLevel(C.AV_LOG_QUIET);

export function blankFrame(width: number, height: number): av.Frame {
  const frame = emptyFrame();
  frame.width = width;
  frame.height = height;
  frame.format = C.AV_PIX_FMT_YUV420P;
  orThrow(frame.getBuffer(0), 'frame', 'server-failed');
  for (const plane of frame.data!) plane.fill(128);
  return frame;
}

/**
 * Returns frames of blocks of random brightness, each 8 pixels further left than the previous one: motion that costs
 * bits.
 */
export function movingFrames(count: number, width: number, height: number, seed = 1): av.Frame[] {
  const random = seededRandom(seed);
  return Array.from({ length: Math.ceil(height / 8) }, () =>
    Buffer.concat(
      Array.from({ length: Math.ceil(width / 8) + count }, () => Buffer.alloc(8, 16 + Math.floor(random.next() * 220))),
    ),
  ).reduce<av.Frame[]>(
    (frames, row, y) => {
      for (const [number, frame] of frames.entries()) {
        for (let line = 8 * y; line < Math.min(height, 8 * y + 8); line++)
          row.copy(frame.data![0]!, line * frame.linesize[0]!, 8 * number, 8 * number + width);
      }
      return frames;
    },
    Array.from({ length: count }, () => blankFrame(width, height)),
  );
}

export const luma = (frame: av.Frame) => ({
  data: frame.data![0]!,
  stride: frame.linesize[0]!,
  width: frame.width,
  height: frame.height,
});
