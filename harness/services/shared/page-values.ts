/**
 * Checks the values that a page reports before anything uses them. A page may have taken over its browser, so its
 * numbers must be plausible, and its lists and texts no longer than a real page's. The limits are generous, because a
 * value outside of them ends the trial.
 */

import { CoexistError } from '../../../core/errors.ts';
import { check, z } from '../../../core/schema/schema.ts';
import { nowMs } from '../../../core/system/clock.ts';
import { firstLine } from '../../trial/browser/first-line.ts';

/** Unix time, ms: from 1970, where the clock of a machine may start, to 2286. */
export const unixMs = z.number().min(0).max(1e13);
/** Duration of up to a day, ms; no trial is longer. */
export const spanMs = z.number().min(0).max(86_400e3);
/** Count: 10 000 per second for a day. */
export const count = z.number().int().min(0).max(1e9);
/** Bytes: 90 Gbit/s for a day. */
export const byteCount = z.number().int().min(0).max(1e15);
/** Pixels in a row or column: neither Chromium nor an H.264 stream has more. */
export const pixels = z.number().min(0).max(65_536);
/** Reason of a failure: one line, for a message. */
export const reason = z.string().max(100_000).transform(firstLine);
/** Fields that every service's page reports (client/wire.ts, PageVitals). */
export const vitals = { mainThreadDelayMaxMs: spanMs, visible: z.boolean() };

/**
 * A list of at most `most` entries. It stops at the first wrong entry. Otherwise a list of wrong entries would produce
 * an issue for each, which takes gigabytes.
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

/** Throws `service-failed`, which voids the trial. `page`: its name in messages, with service and host. */
export const checkedAnswer = <S extends z.ZodType>(schema: S, value: unknown, page: string): z.output<S> =>
  check(schema, value, page, 'service-failed');

/** Tolerance for a page's time later than now, ms: its clock may have been measured on a busy machine. */
const aheadMs = 10_000;
const behindMs = 3600e3;

/**
 * Checks a page's time of a recent event, on the harness's clock. Throws `service-failed` if it is far from now: the
 * window of a trial begins after the ready times of its services.
 */
export function checkedTime(timeMs: number, page: string): number {
  const aheadOfNowMs = timeMs - nowMs();
  if (aheadOfNowMs <= aheadMs && aheadOfNowMs >= -behindMs) return timeMs;
  throw new CoexistError(
    'service-failed',
    `${page}: its time is ${Math.abs(Math.round(aheadOfNowMs / 1000))} s ${aheadOfNowMs > 0 ? 'ahead' : 'behind'}`,
  );
}
