/**
 * Makes the clip of the studies: 15 s of fast motion at 720p60, each frame with its number.
 *
 * node harness/media/generate-clip.ts FILE
 *
 * The clip shows a zooming fractal, a scrolling test card and a little noise, so that every block of every frame
 * changes and the encoder needs its full rate. All sources are deterministic, and the number of the encoder's threads
 * is fixed, so that the same packages make the same bytes.
 */
import { dirname } from 'node:path';
import * as C from 'node-av/constants';
import * as av from 'node-av/lib';
import { CoexistError } from '../../core/errors.ts';
import { makeFolder } from '../../core/system/folders.ts';
import { FilterSource, orThrow } from '../../server/media/av.ts';
import { paintFrameNumber } from './frame-number.ts';
import { Mp4Writer } from './mp4-writer.ts';
import { runProgram } from './program.ts';
import { putWhole } from './whole-file.ts';

const width = 1280;
const height = 720;
const frameRate = 60;
const frameCount = 900;

const graph = [
  `testsrc2=s=${width}x${height}:r=${frameRate},format=yuv420p,scroll=h=0.006:v=0.0035[card]`,
  `mandelbrot=s=${width / 2}x${height / 2}:r=${frameRate}:maxiter=150:start_scale=2:end_scale=0.02:end_pts=${frameCount}[small]`,
  `[small]scale=${width}:${height}:flags=fast_bilinear,format=yuv420p[fractal]`,
  '[fractal][card]blend=all_mode=average,noise=all_seed=7:c0s=2:c0f=t,format=yuv420p',
].join(';');

/** Writes the clip to `file`. The file does not exist until the clip is complete. */
export async function generateClip(file: string, frames = frameCount): Promise<void> {
  await putWhole(file, '.mp4', async partial => {
    makeFolder(dirname(file));
    await write(partial, frames);
  });
}

async function write(file: string, frames: number): Promise<void> {
  const output = await Mp4Writer.open(file, {
    width,
    height,
    frameRate,
    keyInterval: frameRate,
    encoder: { preset: 'superfast', crf: '20' },
  });
  const source = await FilterSource.open(graph);
  for (let number = 0; number < frames; number++) {
    const frame = await source.pull();
    if (frame === undefined) throw new CoexistError('bad-clip', `the clip's sources ended at frame ${number}`);
    orThrow(frame.makeWritable(), 'frame', 'bad-clip');
    paintFrameNumber({ data: frame.data![0]!, stride: frame.linesize[0]!, width, height }, number);
    await output.write(frame, number);
    frame.free();
  }
  source.close();
  await output.close();
}

if (process.argv[1] === import.meta.filename) {
  av.Log.setLevel(C.AV_LOG_WARNING);
  await runProgram('generate-clip.ts FILE', file => generateClip(file!));
}
