/**
 * Compares the frames that a viewer saw with the frames of the clip.
 *
 * node harness/media/compare-frames.ts < TASK
 *
 * Task and answer are JSON. A program without privileges decodes the shown frames from the kept video (kept-video.ts).
 * The number painted in each shown frame (frame-number.ts) is compared with the number in the clip's frame, to make
 * sure that the right frames are compared. At a very low rate the encoder leaves the number of an earlier frame in
 * place, which the viewer sees, too. Earlier and unreadable numbers are therefore only counted. Any other number is an
 * error. The exit status is 0, or 1 with a line on the error.
 */
import { text } from 'node:stream/consumers';
import * as C from 'node-av/constants';
import type { Frame } from 'node-av/lib';
import * as av from 'node-av/lib';
import { CoexistError, messageOf } from '../../core/errors.ts';
import { type Clip, loadClip } from '../../server/media/clip.ts';
import { frameIndexAt } from '../../server/media/frame-times.ts';
import { psnrDb, ssim } from './frame-difference.ts';
import { type LumaPlane, readFrameNumber } from './frame-number.ts';
import { type KeptFrame, withKeptVideo } from './kept-video.ts';
import { VmafScorer } from './vmaf.ts';

export type ComparisonTask = {
  video: string;
  clip: { path: string; width: number; height: number; maxSeconds: number };
  /** Frame rate of the stream, per second. Frames are numbered by the periods of this rate. */
  frameRate: number;
  /** Numbers of the shown frame and of the wanted frame in each pair. The numbers of shown frames never decrease. */
  pairs: { shownFrame: number; wantedFrame: number }[];
  /** Path of an FFmpeg with libvmaf; null if there is none. */
  vmafProgram: string | null;
  /** Path of an existing folder for temporary files. */
  scratch: string;
};

export type ComparisonAnswer = {
  /** Scores of each pair of frames, in the order of the pairs. */
  scores: { psnrDb: number; ssim: number; vmaf: number | null }[];
  shownPictures: number;
  numbersRight: number;
  numbersOld: number;
  numbersUnread: number;
};

const luma = ({ data, linesize, width, height }: Frame): LumaPlane => ({
  data: data![0]!,
  stride: linesize[0]!,
  width,
  height,
});

/** Returns all planes of a 4:2:0 frame, without padding of the rows. */
function planes({ data, linesize, width, height }: Frame): Buffer {
  const bytes = Buffer.allocUnsafe(width * height * 1.5);
  let at = 0;
  for (const [k, divisor] of [
    [0, 1],
    [1, 2],
    [2, 2],
  ] as const) {
    for (let row = 0; row < height / divisor; row++)
      at += data![k]!.copy(bytes, at, row * linesize[k]!, row * linesize[k]! + width / divisor);
  }
  return bytes;
}

class Comparison {
  readonly #task: ComparisonTask;
  readonly #clip: Clip;
  readonly #vmaf: VmafScorer | undefined;
  readonly #answer: ComparisonAnswer = {
    scores: [],
    shownPictures: 0,
    numbersRight: 0,
    numbersOld: 0,
    numbersUnread: 0,
  };

  constructor(task: ComparisonTask, clip: Clip, vmaf: VmafScorer | undefined) {
    this.#task = task;
    this.#clip = clip;
    this.#vmaf = vmaf;
  }

  async run(): Promise<ComparisonAnswer> {
    const { pairs, video } = this.#task;
    if (pairs.length > 0)
      await withKeptVideo(video, async (size, frames) => {
        this.#checkSize(size);
        await this.#compareAll(frames);
      });
    const { numbersRight, numbersOld } = this.#answer;
    if (numbersRight === 0 && numbersOld > 0)
      throw new CoexistError(
        'bad-run-folder',
        `not one frame of ${video} shows its own number, ${numbersOld} show an earlier one`,
      );
    const vmafs = await this.#vmaf?.scores();
    if (vmafs !== undefined && vmafs.length !== pairs.length)
      throw new CoexistError('command-failed', `VMAF gave ${vmafs.length} scores for ${pairs.length} frames`);
    return { ...this.#answer, scores: this.#answer.scores.map((score, i) => ({ ...score, vmaf: vmafs?.[i] ?? null })) };
  }

  async #compareAll(frames: AsyncIterable<KeptFrame>): Promise<void> {
    const { pairs, video } = this.#task;
    let next = 0;
    for await (const frame of frames) {
      if (pairs[next]?.shownFrame === frame.number) this.#checkNumber(frame);
      for (; pairs[next]?.shownFrame === frame.number; next++) await this.#compare(frame, pairs[next]!.wantedFrame);
      if (next === pairs.length) return;
    }
    throw new CoexistError('bad-run-folder', `${video} has no frame ${pairs[next]!.shownFrame}, which was shown`);
  }

  #checkSize({ width, height }: { width: number; height: number }): void {
    const { clip, video } = this.#task;
    if (width === clip.width && height === clip.height) return;
    throw new CoexistError(
      'bad-run-folder',
      `the frames of ${video} are ${width}x${height}, the clip's ${clip.width}x${clip.height}`,
    );
  }

  #frameOfClip(number: number): Frame {
    const { frames, times } = this.#clip;
    const { frameRate } = this.#task;
    return frames[frameIndexAt(times, number / frameRate, 1 / frameRate)]!;
  }

  #checkNumber({ number, luma: shown }: KeptFrame): void {
    const [painted, read] = [readFrameNumber(luma(this.#frameOfClip(number))), readFrameNumber(shown)];
    this.#answer.shownPictures++;
    if (painted === undefined || read === undefined) this.#answer.numbersUnread++;
    else if (painted === read) this.#answer.numbersRight++;
    else if (this.#isEarlier(read, painted)) this.#answer.numbersOld++;
    else
      throw new CoexistError(
        'bad-run-folder',
        `frame ${number} of ${this.#task.video} shows the number ${read}, the clip's shows ${painted}`,
      );
  }

  /** Returns true if the number `read` comes before `painted` in the clip's loop, by less than half of the loop. */
  #isEarlier(read: number, painted: number): boolean {
    const { length } = this.#clip.frames;
    return (painted - read + length) % length < length / 2;
  }

  async #compare({ luma: shown, planes: shownPlanes }: KeptFrame, wantedNumber: number): Promise<void> {
    const wanted = this.#frameOfClip(wantedNumber);
    const wantedLuma = luma(wanted);
    this.#answer.scores.push({ psnrDb: psnrDb(shown, wantedLuma), ssim: ssim(shown, wantedLuma), vmaf: null });
    await this.#vmaf?.add(Buffer.from(shownPlanes), planes(wanted)); // copied, because the scorer reads it later
  }
}

export async function compareFrames(task: ComparisonTask): Promise<ComparisonAnswer> {
  const {
    clip: { path, ...options },
    frameRate,
    vmafProgram,
  } = task;
  const clip = await loadClip(path, options);
  let vmaf: VmafScorer | undefined;
  try {
    if (vmafProgram !== null && task.pairs.length > 0)
      vmaf = VmafScorer.start(vmafProgram, task.scratch, { ...options, frameRate });
    return await new Comparison(task, clip, vmaf).run();
  } finally {
    await vmaf?.close();
    for (const frame of clip.frames) frame.free();
  }
}

if (process.argv[1] === import.meta.filename) {
  av.Log.setLevel(C.AV_LOG_QUIET);
  try {
    process.stdout.write(JSON.stringify(await compareFrames(JSON.parse(await text(process.stdin)) as ComparisonTask)));
  } catch (error) {
    process.stderr.write(`${error instanceof CoexistError ? error.line : messageOf(error)}\n`);
    process.exitCode = 1;
  }
}
