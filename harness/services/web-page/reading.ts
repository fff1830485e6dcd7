/** Checks the data that the browser reports about the load of a page: times and screenshots. */
import { setImmediate as turn } from 'node:timers/promises';
import { CoexistError, messageOf } from '../../../core/errors.ts';
import { object, z } from '../../../core/schema/schema.ts';
import { byteCount, checkedAnswer, unixMs } from '../shared/page-values.ts';
import { decodePng } from './png.ts';
import { cellsOf, type Look } from './visual-progress.ts';

/** Longest time of a load, ms. Every load is given up earlier. */
const longestMs = 3600e3;
const ms = z.number().min(0).max(longestMs);

/** Schema of the times from Navigation, Paint and Resource Timing, ms from the start of the navigation. */
const timingSchema = object({ originMs: unixMs, loadMs: ms, firstContentMs: ms.nullable(), bytes: byteCount });

type Timing = z.output<typeof timingSchema>;

/** Maximum length of a screenshot in base64, characters. An uncompressed screenshot is shorter. */
const longestScreenshot = 1_000_000;
/** Maximum number of screenshots to keep. Decoding one takes several ms of the harness. */
const mostScreenshots = 1000;
/** Maximum size of all screenshots, bytes: `mostScreenshots` photographs of 480x270 pixels. */
const mostBytes = 2 ** 28;
/** Interval of screenshots, ms, after they were thinned out for the first time. A screen shows sixty per second. */
const firstIntervalMs = 1000 / 30;

/** Schema of a screenshot. The time is in seconds and may be missing (DevTools protocol, Page.screencastFrame). */
const screenshotSchema = z.looseObject({
  data: z.string().max(longestScreenshot),
  sessionId: z.number().int(),
  metadata: z.looseObject({ timestamp: z.number().min(0).max(1e10).optional() }),
});

type Screenshot = { unixMs: number; file: Buffer };

/**
 * Checks the times of a load. Throws `service-failed`, which makes the trial void. `page`: name of the page in the
 * error.
 */
export const checkedTiming = (told: unknown, page: string): Timing =>
  checkedAnswer(timingSchema, told, `${page}: its times`);

/**
 * Screenshots of one load, in the order of time. A page that is painted all the time makes more than can be kept. Then
 * only the last screenshot of each interval is kept, and the interval doubles whenever there are too many again. So a
 * change is seen at most one interval late, which is at most 0.3 % of the load.
 */
export class Screenshots {
  readonly #page: string;
  readonly #most: number;
  #all: Screenshot[] = [];
  #bytes = 0;
  /** Interval of screenshots to keep, ms. 0: all are kept. */
  #intervalMs = 0;

  /** `page`: name of the page in errors. `most`: maximum number of screenshots to keep. */
  constructor(page: string, most = mostScreenshots) {
    this.#page = page;
    this.#most = most;
  }

  /**
   * Adds a screenshot. Returns the number with which to acknowledge it to the browser. Throws `service-failed` if it is
   * invalid.
   */
  add(told: unknown): number {
    const {
      data,
      sessionId,
      metadata: { timestamp },
    } = checkedAnswer(screenshotSchema, told, `${this.#page}: a screenshot`);
    if (timestamp === undefined) return sessionId;
    this.#keep({ unixMs: timestamp * 1000, file: Buffer.from(data, 'base64') });
    while (this.#all.length > this.#most || this.#bytes > mostBytes) this.#thinOut();
    return sessionId;
  }

  /**
   * Decodes the screenshots. The times of the result count from `originMs`, the start of the navigation. After each
   * screenshot the function yields, so that it does not hold up the rest of the harness. Throws `service-failed` if a
   * screenshot is not an image, or was taken more than `longestMs` from `originMs`.
   */
  async looks(originMs: number): Promise<Look[]> {
    const looks: Look[] = [];
    for (const { unixMs: takenMs, file } of this.#all) {
      const timeMs = takenMs - originMs;
      if (Math.abs(timeMs) > longestMs)
        throw new CoexistError(
          'service-failed',
          `${this.#page}: a screenshot is ${Math.round(timeMs / 1000)} s from the start of its load`,
        );
      looks.push({ timeMs, cells: this.#cells(file) });
      await turn();
    }
    return looks;
  }

  /** Keeps a screenshot. The first one is never replaced, since it shows which cells change at all. */
  #keep(next: Screenshot): void {
    const last = this.#all.at(-1);
    const slot = ({ unixMs: takenMs }: Screenshot) => Math.floor(takenMs / this.#intervalMs);
    if (last !== undefined && this.#all.length > 1 && this.#intervalMs > 0 && slot(last) === slot(next)) {
      this.#all.pop();
      this.#bytes -= last.file.length;
    }
    this.#all.push(next);
    this.#bytes += next.file.length;
  }

  #thinOut(): void {
    this.#intervalMs = Math.max(firstIntervalMs, 2 * this.#intervalMs);
    const all = this.#all;
    this.#all = [];
    this.#bytes = 0;
    for (const one of all) this.#keep(one);
  }

  #cells(file: Buffer): Float32Array {
    try {
      const { width, height, data: pixels } = decodePng(file);
      return cellsOf(pixels, width, height);
    } catch (error) {
      throw new CoexistError('service-failed', `${this.#page}: ${messageOf(error)}`, { cause: error });
    }
  }
}
