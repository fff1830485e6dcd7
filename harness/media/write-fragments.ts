/**
 * Converts a clip to a fragmented video for adaptive players, which fetch the video piece by piece. Each fragment
 * begins with a key frame and can be played without the others (ISO/IEC 14496-12, 8.8: movie fragments).
 *
 * node harness/media/write-fragments.ts CLIP WIDTH HEIGHT FRAMERATE SECONDS FRAGMENTSECONDS BITRATE FILE
 *
 * BITRATE is in bit/s, and each fragment keeps to it. A clip that is shorter than SECONDS is repeated. The exit status
 * is 0, or there is an error line and the status is 1 if the clip is the cause, 2 if the machine is.
 */

import * as C from 'node-av/constants';
import * as av from 'node-av/lib';
import { loadClip } from '../../server/media/clip.ts';
import { frameIndexAt } from '../../server/media/frame-times.ts';
import { Mp4Writer } from './mp4-writer.ts';
import { runProgram } from './program.ts';
import { putWhole } from './whole-file.ts';

type Shape = {
  width: number;
  height: number;
  frameRate: number;
  seconds: number;
  fragmentSeconds: number;
  bps: number;
};

export async function writeFragments(
  path: string,
  { width, height, frameRate, seconds, fragmentSeconds, bps }: Shape,
  file: string,
): Promise<void> {
  const clip = await loadClip(path, { width, height, maxSeconds: seconds });
  const rate = String(bps);
  const writeTo = async (partial: string) => {
    const output = await Mp4Writer.open(partial, {
      width,
      height,
      frameRate,
      keyInterval: frameRate * fragmentSeconds,
      encoder: {
        preset: 'veryfast',
        b: rate,
        maxrate: rate,
        bufsize: String((bps * fragmentSeconds) / 2),
        keyint_min: String(frameRate * fragmentSeconds),
        sc_threshold: '0',
      },
      tellsColours: true,
      format: { movflags: 'frag_keyframe+empty_moov+default_base_moof' },
    });
    for (let number = 0; number < seconds * frameRate; number++) {
      await output.write(clip.frames[frameIndexAt(clip.times, number / frameRate, 1 / frameRate)]!, number);
    }
    await output.close();
  };
  try {
    await putWhole(file, '.mp4', writeTo);
  } finally {
    for (const frame of clip.frames) frame.free();
  }
}

if (process.argv[1] === import.meta.filename) {
  av.Log.setLevel(C.AV_LOG_QUIET);
  await runProgram(
    'write-fragments.ts CLIP WIDTH HEIGHT FRAMERATE SECONDS FRAGMENTSECONDS BITRATE FILE',
    (path, width, height, frameRate, seconds, fragmentSeconds, bps, file) =>
      writeFragments(
        path!,
        {
          width: Number(width),
          height: Number(height),
          frameRate: Number(frameRate),
          seconds: Number(seconds),
          fragmentSeconds: Number(fragmentSeconds),
          bps: Number(bps),
        },
        file!,
      ),
  );
}
