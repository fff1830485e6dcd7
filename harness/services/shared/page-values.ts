/**
 * What a page tells of itself, checked before anything uses it: a page may have taken over its browser, so its numbers
 * must be plausible and its lists and words no longer than a real page's. The limits are generous, because a value
 * outside of them ends the trial.
 */

import { CoexistError } from '../../../core/errors.ts';
import { check, z } from '../../../core/schema/schema.ts';
import { nowMs } from '../../../core/system/clock.ts';
import { firstLine } from '../../trial/browser/first-line.ts';

/** A machine may begin in 1970, and end in 2286. */
export const unixMs = z.number().min(0).max(1e13);
/** Up to a day, which no trial lasts. */
export const spanMs = z.number().min(0).max(86_400e3);
/** Of a day, 10 000 a second. */
export const count = z.number().int().min(0).max(1e9);
/** Of a day, 90 Gbit/s. */
export const byteCount = z.number().int().min(0).max(1e15);
/** Neither Chromium nor an H.264 stream has more in a row or a column. */
export const pixels = z.number().min(0).max(65_536);
/** Why something failed: one line, for a message. */
export const reason = z.string().max(100_000).transform(firstLine);
/** How a page of any service tells of itself (client/wire.ts, PageVitals). */
export const vitals = { mainThreadDelayMaxMs: spanMs, visible: z.boolean() };

/**
 * A list of at most `most` entries. It stops at the first entry that does not fit: a list of nothing but wrong entries
 * would otherwise become as many issues, which take gigabytes.
 */
export function list<S extends z.ZodType>(element: S, most: number) {
  return z
    .array(z.unknown())
    .max(most)
    .transform((values, context): z.output<S>[] => {
      const read: z.output<S>[] = [];
      for (const [k, value] of values.entries()) {
        const result = element.safeParse(value);
        if (!result.success) {
          const issue = result.error.issues[0]!;
          context.issues.push({ ...issue, path: [k, ...issue.path] } as z.core.$ZodRawIssue);
          return z.NEVER;
        }
        read.push(result.data);
      }
      return read;
    });
}

/** Throws `service-failed`, which voids the trial. `page`: as messages name it, with the service and its host. */
export const checkedAnswer = <S extends z.ZodType>(schema: S, value: unknown, page: string): z.output<S> =>
  check(schema, value, page, 'service-failed');

/** How much later than now a page's time may be: its clock was measured while the machine may have been busy. */
const aheadMs = 10_000;
const behindMs = 3600e3;

/**
 * A page's time on the harness's clock, of something that has just happened. Throws `service-failed` where it is far
 * from now: the window of a trial begins after the times that its services were ready at.
 */
export function checkedTime(timeMs: number, page: string): number {
  const aheadOfNowMs = timeMs - nowMs();
  if (aheadOfNowMs <= aheadMs && aheadOfNowMs >= -behindMs) return timeMs;
  throw new CoexistError(
    'service-failed',
    `${page}: its time is ${Math.abs(Math.round(aheadOfNowMs / 1000))} s ${aheadOfNowMs > 0 ? 'ahead' : 'behind'}`,
  );
}
