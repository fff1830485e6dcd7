/** Parses the receiver's reports. */
import { z } from '../../../core/schema/schema.ts';
import type { Host } from '../../../core/system/host.ts';
import { readToldJson } from '../../../core/system/printed-json.ts';

/** A connection that has fetched its file. `durationMs`: from the request of the connection to the last byte. */
type Ended = { endMs: number; durationMs: number; bytes: number };

/** `open`: connections that have begun and not ended. `ended`: those that have ended since the last report. */
export type Received = { receivedBytes: number; open: number; ended: Ended[] };

const count = z.int().min(0);
const time = z.number().min(0).max(8.64e15);
const received: z.ZodType<Received> = z.strictObject({
  receivedBytes: count,
  open: count,
  ended: z.array(z.strictObject({ endMs: time, durationMs: time, bytes: count })),
});

/**
 * Parses a line of the receiver. `host`: host of the receiver, for messages. Throws `service-failed` if the line is not
 * a report.
 */
export const readReceived = (line: string, { name }: Pick<Host, 'name'>): Received =>
  readToldJson(`the receiver of short-flows on ${name}`, line, received, 'service-failed');
