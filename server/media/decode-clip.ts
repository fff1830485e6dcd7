/**
 * Decodes a clip without privileges, since the file may come from anywhere (started by clip-decoder.ts).
 *
 *   node server/media/decode-clip.ts inspect SECONDS 3< CLIP
 *   node server/media/decode-clip.ts WIDTH HEIGHT SECONDS MATRIX 3< CLIP
 *
 * Prints one line of JSON with the file's headers, then records (clip-record-form.ts): the frames of the first SECONDS
 * as a player shows them (frame-times.ts, clip-scaler.ts), fitted into WIDTH x HEIGHT, each with its start time and its
 * planes (4:2:0, 8 bits) without padding. The last record has the facts of the clip. "inspect" decodes the same part
 * and prints no frames. The program ends when its standard input ends. Exit status 0, or 1 after a line that names the
 * problem with the clip.
 */

import type { AVPixelFormat } from 'node-av/constants';
import * as av from 'node-av/lib';
import { CoexistError } from '../../core/errors.ts';
import type { ClipFacts } from '../../core/vocabulary/clip-facts.ts';
import { aliveRecord, endRecord, frameHead } from './clip-record-form.ts';
import { ClipScaler } from './clip-scaler.ts';
import { ClipSource } from './clip-source.ts';
import { decode, write } from './decoder-main.ts';
import { type StreamMatrix, streamMatrices } from './frame-colours.ts';
import type { Size } from './frame-shape.ts';
import { FrameTimes } from './frame-times.ts';
import { Stillness } from './stillness.ts';

/** Frame size that "inspect" decodes to: large enough to detect changes of the picture. */
const inspected = { width: 320, height: 180 } as const;
/** Number of frames between two alive records of "inspect": few, because several frames of 8K take seconds. */
const framesPerSign = 4;

type Job = { size: Size & { matrix: StreamMatrix }; seconds: number; isInspection: boolean };

function jobOf(words: readonly string[]): Job {
  if (words[0] === 'inspect')
    return { size: { ...inspected, matrix: 'bt709' }, seconds: Number(words[1]), isInspection: true };
  const [width, height, seconds] = words.map(Number) as [number, number, number];
  const matrix = streamMatrices.find(name => name === words[3]) ?? 'bt709';
  return { size: { width, height, matrix }, seconds, isInspection: false };
}

class Decoding {
  readonly #job: Job;
  readonly #source: ClipSource;
  readonly #times: FrameTimes;
  readonly #scaler: ClipScaler;
  readonly #stillness = new Stillness();
  /** Start times of the frames that are in the scaler, s. */
  readonly #waiting: number[] = [];
  #written = 0;

  constructor(job: Job, source: ClipSource) {
    this.#job = job;
    this.#source = source;
    this.#times = new FrameTimes(source.declared, source.mayJump);
    this.#scaler = new ClipScaler(
      job.size,
      source,
      job.isInspection ? 'fast_bilinear' : 'bicubic',
      format => av.avGetPixFmtName(format as AVPixelFormat) ?? '',
    );
  }

  async run(): Promise<ClipFacts> {
    const { seconds } = this.#job;
    const ended = await this.#source.frames(async ({ frame, timeS, durationS }) => {
      try {
        const startS = this.#times.add(timeS, durationS);
        if (startS === undefined) return true;
        if (startS > 0 && startS >= seconds - 1e-6) return false;
        this.#waiting.push(startS);
        await this.#take(await this.#scaler.add(frame, startS));
        return true;
      } finally {
        frame.free();
      }
    });
    await this.#take(await this.#scaler.end());
    if (this.#written === 0) throw new CoexistError('bad-clip', 'not one frame could be decoded');
    return this.#facts(ended);
  }

  async #take(scaled: readonly av.Frame[]): Promise<void> {
    const { size, isInspection } = this.#job;
    for (const frame of scaled) {
      const startS = this.#waiting.shift()!;
      const planes = frame.toBuffer();
      frame.free();
      this.#stillness.add(planes.subarray(0, size.width * size.height), size.width, size.height, startS);
      if (!isInspection) {
        await write(frameHead(startS, planes.length));
        await write(planes);
      } else if (this.#written % framesPerSign === 0) await write(aliveRecord);
      this.#written++;
    }
  }

  #facts(ended: boolean): ClipFacts {
    const { codec, fileSeconds, broken } = this.#source;
    const { startsS, seconds, frameRate, leftOutS } = this.#times.part(this.#job.seconds, ended);
    const intervals = startsS.slice(1).map((startS, k) => startS - startsS[k]!);
    const { pieces } = this.#scaler;
    return {
      width: pieces[0]!.width,
      height: pieces[0]!.height,
      codec,
      fileSeconds,
      frames: startsS.length,
      seconds,
      frameRate,
      intervals: intervals.length === 0 ? null : intervalsOf(intervals),
      leftOutS,
      breaks: this.#times.breaks,
      untimed: this.#times.untimed,
      broken,
      stillRatio: this.#stillness.ratio(seconds),
      pieces,
    };
  }
}

const intervalsOf = (intervals: readonly number[]) => ({
  leastS: intervals.reduce((least, s) => Math.min(least, s)),
  mostS: intervals.reduce((most, s) => Math.max(most, s)),
});

await decode(async () => {
  const job = jobOf(process.argv.slice(2));
  const source = await ClipSource.open();
  const { width, height, codec, fileSeconds } = source;
  await write(`${JSON.stringify({ width, height, codec, fileSeconds })}\n`);
  await write(endRecord(await new Decoding(job, source).run()));
});
