/** What the browser tells of the load of a page, checked: its times and its screenshots. */
import { CoexistError, messageOf } from '../../../core/errors.ts';
import { object, z } from '../../../core/schema.ts';
import { byteCount, checkedAnswer, unixMs } from '../shared/page-values.ts';
import { decodePng } from './png.ts';
import { cellsOf } from './visual-progress.ts';
import type { Look } from './visual-progress.ts';

/** No load is waited for as long. */
const longestMs = 3600e3;
const ms = z.number().min(0).max(longestMs);

/** Navigation, Paint and Resource Timing; ms from the start of the navigation. */
const timingSchema = object({ originMs: unixMs, loadMs: ms, firstContentMs: ms.nullable(), bytes: byteCount });

type Timing = z.output<typeof timingSchema>;

/** A screenshot without any compression has less, in base64. */
const longestScreenshot = 1_000_000;
/** Sixty a second during the longest load: a page that paints with every piece that comes. */
const mostScreenshots = 40_000;
/** More would end the harness. */
const mostCharacters = 2 ** 30;

/** The time is in seconds, and not always there (DevTools protocol, Page.screencastFrame). */
const screenshotSchema = z.looseObject({
  data: z.string().max(longestScreenshot),
  sessionId: z.number().int(),
  metadata: z.looseObject({ timestamp: z.number().min(0).max(1e10).optional() }),
});

type Screenshot = { unixMs: number; data: string };

/** Throws `service-failed`, which voids the trial. `page`: as messages name it. */
export const checkedTiming = (told: unknown, page: string): Timing =>
  checkedAnswer(timingSchema, told, `${page}: its times`);

/** Screenshots of one load as they come. */
export class Screenshots {
  readonly #page: string;
  readonly #all: Screenshot[] = [];
  #characters = 0;

  /** `page`: as messages name it. */
  constructor(page: string) {
    this.#page = page;
  }

  /** Returns the number to answer it with. Throws `service-failed` where it cannot be one, or there are too many. */
  add(told: unknown): number {
    const {
      data,
      sessionId,
      metadata: { timestamp },
    } = checkedAnswer(screenshotSchema, told, `${this.#page}: a screenshot`);
    if (timestamp === undefined) return sessionId;
    this.#characters += data.length;
    if (this.#all.length === mostScreenshots || this.#characters > mostCharacters)
      throw new CoexistError('service-failed', `${this.#page}: it is painted more often than any page`);
    this.#all.push({ unixMs: timestamp * 1000, data });
    return sessionId;
  }

  /** Times from the start of the navigation. Throws `service-failed` where one is no image or of no such time. */
  looks(originMs: number): Look[] {
    return this.#all.map(({ unixMs: takenMs, data }) => {
      const timeMs = takenMs - originMs;
      if (Math.abs(timeMs) > longestMs)
        throw new CoexistError(
          'service-failed',
          `${this.#page}: a screenshot is ${Math.round(timeMs / 1000)} s from the start of its load`,
        );
      return { timeMs, cells: this.#cells(data) };
    });
  }

  #cells(data: string): Float32Array {
    try {
      const { width, height, data: pixels } = decodePng(Buffer.from(data, 'base64'));
      return cellsOf(pixels, width, height);
    } catch (error) {
      throw new CoexistError('service-failed', `${this.#page}: ${messageOf(error)}`, { cause: error });
    }
  }
}
