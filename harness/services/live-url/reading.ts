/** Checks the values read from a page on the Internet: the data is not trusted, and its numbers must be plausible. */
import { check, object, z } from '../../../core/schema.ts';
import type { ElementReading } from '../../../client/wire.ts';

/** Times are from the start of the navigation; null where it did not come to it. */
export type LoadTimes = { loadMs: number | null; firstContentMs: number | null };

const day = 86_400;
const pixels = z.number().min(0).max(65_536);
const count = z.number().int().min(0).max(1e9);
const ms = z
  .number()
  .min(0)
  .max(day * 1000);
/** The clock of a live video may count from 1970. */
const seconds = z.number().min(0).max(1e11);

const elementSchema = object({
  area: z
    .number()
    .min(0)
    .max(65_536 ** 2),
  width: pixels,
  height: pixels,
  positionS: seconds,
  bufferS: seconds,
  stalls: count,
  stalledMs: ms,
  openStallMs: ms,
  presentedFrames: count,
  droppedFrames: count,
}).nullable();
const loadSchema = object({ loadMs: ms, firstContentMs: ms.nullable() });

/** Throws `service-failed`, which voids the trial. */
export function checkedElement(value: unknown): ElementReading | null {
  return check(elementSchema, value, "the page's video element", 'service-failed');
}

/** Throws `service-failed`, which voids the trial. */
export function checkedLoad(value: unknown): LoadTimes {
  return check(loadSchema, value, "the page's times", 'service-failed');
}
