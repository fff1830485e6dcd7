/**
 * Computes VMAF for a sequence of frames with an FFmpeg that has libvmaf. FFmpeg reads raw frames from two pipes and
 * writes one score per frame.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { CoexistError } from '../../core/errors.ts';
import { childEnvironment } from '../../core/system/child-environment.ts';
import { Child } from '../../core/system/command.ts';
import { within } from '../../core/system/deadline.ts';
import { frameRateFraction } from '../../core/text/frame-rate.ts';

/**
 * Number of frames that may wait in a pipe. FFmpeg reads several frames from one pipe before it reads from the other
 * pipe.
 */
const mostWaiting = 16;
/** Time limit for scoring the frames that still wait at the end, ms. */
const endMs = 120_000;

export const vmafModel = 'vmaf_v0.6.1';

export class VmafScorer {
  readonly #scratch: string;
  readonly #child: Child;
  readonly #frameBytes: number;

  private constructor(scratch: string, child: Child, frameBytes: number) {
    this.#scratch = scratch;
    this.#child = child;
    this.#frameBytes = frameBytes;
    for (const pipe of this.#pipes) pipe.on('error', () => {}); // `scores` detects that the program has ended
  }

  /**
   * Starts FFmpeg. `program`: path of an FFmpeg with libvmaf. `scratch`: an empty folder, which the caller removes.
   * Frames are 4:2:0 of 8 bits.
   */
  static start(
    program: string,
    scratch: string,
    { width, height, frameRate }: { width: number; height: number; frameRate: number },
  ): VmafScorer {
    const { num, den } = frameRateFraction(frameRate);
    const input = (pipe: number) => [
      '-f',
      'rawvideo',
      '-pixel_format',
      'yuv420p',
      '-video_size',
      `${width}x${height}`,
      '-framerate',
      `${num}/${den}`,
      '-i',
      `pipe:${pipe}`,
    ];
    const child = spawn(
      program,
      [
        '-hide_banner',
        '-loglevel',
        'error',
        '-nostdin',
        ...input(3),
        ...input(4),
        '-lavfi',
        `[0:v][1:v]libvmaf=model=version=${vmafModel}:n_threads=${availableParallelism()}:log_fmt=json:log_path=scores.json`,
        '-f',
        'null',
        '-',
      ],
      { cwd: scratch, stdio: ['ignore', 'ignore', 'pipe', 'pipe', 'pipe'], env: childEnvironment() },
    );
    return new VmafScorer(scratch, new Child('VMAF', child), width * height * 1.5);
  }

  get #pipes(): Writable[] {
    return this.#child.process.stdio.slice(3).filter(pipe => pipe instanceof Writable);
  }

  /** Adds a shown frame and the wanted frame, each as planes without padding. */
  async add(shown: Buffer, wanted: Buffer): Promise<void> {
    const pipes = this.#pipes;
    pipes[0]!.write(shown);
    pipes[1]!.write(wanted);
    for (const pipe of pipes) {
      if (pipe.writableLength > mostWaiting * this.#frameBytes)
        await Promise.race([once(pipe, 'drain').catch(() => {}), this.#child.ended]);
    }
  }

  /** Returns the scores in the order of the pairs, 0 to 100. Throws `command-failed` if FFmpeg failed. */
  async scores(): Promise<number[]> {
    for (const pipe of this.#pipes) pipe.end();
    const { status } = await within(this.#child.ended, endMs, 'VMAF');
    if (status !== 0)
      throw new CoexistError(
        'command-failed',
        `FFmpeg could not compute VMAF: ${this.#child.lastWords || `it ended with status ${status}`}`,
      );
    const log = JSON.parse(await readFile(join(this.#scratch, 'scores.json'), 'utf8')) as {
      frames: { frameNum: number; metrics: { vmaf: number } }[];
    };
    return log.frames.sort((a, b) => a.frameNum - b.frameNum).map(({ metrics }) => metrics.vmaf);
  }

  async close(): Promise<void> {
    await this.#child.stop('SIGKILL');
  }
}
