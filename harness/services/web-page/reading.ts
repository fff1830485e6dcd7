/** What the browser tells of the load of a page, checked: its times and its screenshots. */
import { setImmediate as turn } from 'node:timers/promises';
import { CoexistError, messageOf } from '../../../core/errors.ts';
import { object, z } from '../../../core/schema/schema.ts';
import { byteCount, checkedAnswer, unixMs } from '../shared/page-values.ts';
import { decodePng } from './png.ts';
import { cellsOf, type Look } from './visual-progress.ts';

/** No load is waited for as long. */
const longestMs = 3600e3;
const ms = z.number().min(0).max(longestMs);

/** Navigation, Paint and Resource Timing; ms from the start of the navigation. */
const timingSchema = object({ originMs: unixMs, loadMs: ms, firstContentMs: ms.nullable(), bytes: byteCount });

type Timing = z.output<typeof timingSchema>;

/** A screenshot without any compression has less, in base64. */
const longestScreenshot = 1_000_000;
/** More are thinned out. Reading one takes the harness several ms. */
const mostScreenshots = 1000;
/** So many photographs of 480x270 pixels; bytes of all. */
const mostBytes = 2 ** 28;
/** In which the first thinning leaves one, ms: a screen shows sixty in a second. */
const firstIntervalMs = 1000 / 30;

/** The time is in seconds, and not always there (DevTools protocol, Page.screencastFrame). */
const screenshotSchema = z.looseObject({
  data: z.string().max(longestScreenshot),
  sessionId: z.number().int(),
  metadata: z.looseObject({ timestamp: z.number().min(0).max(1e10).optional() }),
});

type Screenshot = { unixMs: number; file: Buffer };

/** Throws `service-failed`, which voids the trial. `page`: as messages name it. */
export const checkedTiming = (told: unknown, page: string): Timing =>
  checkedAnswer(timingSchema, told, `${page}: its times`);

/**
 * Screenshots of one load as they come. A page that is painted all the time makes more than can be kept. Then one is left
 * of each interval, the last; the interval is twice as long whenever there are too many again. So a change is seen late,
 * by at most such an interval: at most 0.3 % of the load.
 */
export class Screenshots {
  readonly #page: string;
  readonly #most: number;
  #all: Screenshot[] = [];
  #bytes = 0;
  /** 0: all are kept. */
  #intervalMs = 0;

  /** `page`: as messages name it. */
  constructor(page: string, most = mostScreenshots) {
    this.#page = page;
    this.#most = most;
  }

  /** Returns the number to answer it with. Throws `service-failed` where it cannot be one. */
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
   * Times from the start of the navigation. The harness goes on with other things between two of them. Throws
   * `service-failed` where one is no image or of no such time.
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

  /** The first stays as it is: it tells which cells change at all. */
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
