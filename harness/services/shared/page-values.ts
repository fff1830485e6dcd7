/**
 * Checks the values that a page reports before they are used. A page may have taken over its browser. So its numbers
 * must be plausible, and its lists and texts no longer than a real page's. The limits are generous, because a value
 * outside of them ends the trial.
 */

import { CoexistError } from '../../../core/errors.ts';
import { check, z } from '../../../core/schema/schema.ts';
import { nowMs } from '../../../core/system/clock.ts';
import { firstLine } from '../../trial/browser/first-line.ts';

/** Unix time, ms. From 1970, at which the clock of a machine may start, to 2286. */
export const unixMs = z.number().min(0).max(1e13);
/** Duration, ms. At most a day; no trial is longer. */
export const spanMs = z.number().min(0).max(86_400e3);
/** Number of events. At most 10 000 per second for a day. */
export const count = z.number().int().min(0).max(1e9);
/** Number of bytes. At most 90 Gbit/s for a day. */
export const byteCount = z.number().int().min(0).max(1e15);
/** Number of pixels in a row or column. Neither Chromium nor an H.264 stream has more. */
export const pixels = z.number().min(0).max(65_536);
/** Reason of a failure, shortened to one line for a message. */
export const reason = z.string().max(100_000).transform(firstLine);
/** Fields that the page of every service reports (client/wire.ts, PageVitals). */
export const vitals = { mainThreadDelayMaxMs: spanMs, visible: z.boolean() };

/**
 * Schema of a list with at most `most` entries. The check stops at the first wrong entry. Otherwise each wrong entry
 * would produce an issue, which takes gigabytes for a long list.
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

/**
 * Returns the value after a check with `schema`. Throws `service-failed`, which makes the trial void. `page`: name of
 * the page in the error, with service and host.
 */
export const checkedAnswer = <S extends z.ZodType>(schema: S, value: unknown, page: string): z.output<S> =>
  check(schema, value, page, 'service-failed');

/**
 * Longest time, ms, by which a page's time may be later than now. The page's clock may have been measured on a busy
 * machine.
 */
const aheadMs = 10_000;
const behindMs = 3600e3;

/**
 * Returns a page's time of a recent event, on the harness's clock, after a check. Throws `service-failed` if it is far
 * from now, since the window of a trial begins after the ready times of its services.
 */
export function checkedTime(timeMs: number, page: string): number {
  const aheadOfNowMs = timeMs - nowMs();
  if (aheadOfNowMs <= aheadMs && aheadOfNowMs >= -behindMs) return timeMs;
  throw new CoexistError(
    'service-failed',
    `${page}: its time is ${Math.abs(Math.round(aheadOfNowMs / 1000))} s ${aheadOfNowMs > 0 ? 'ahead' : 'behind'}`,
  );
}
