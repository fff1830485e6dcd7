/** Parses the receiver's reports. They are checked with a schema, since the receiver may run on another machine. */

import { z } from '../../../core/schema/schema.ts';
import type { Host } from '../../../core/system/host.ts';
import { readToldJson } from '../../../core/system/printed-json.ts';
import type { Received } from './packet.ts';

const count = z.int().min(0);
const received: z.ZodType<Received> = z.strictObject({
  packets: count,
  bytes: count,
  latePackets: count,
  missingPackets: count,
});

/**
 * Parses a line of the receiver. `host`: host of the receiver, for messages. Throws `service-failed` if the line is not
 * a report.
 */
export const readReceived = (line: string, { name }: Pick<Host, 'name'>): Received =>
  readToldJson(`the receiver of udp-flow on ${name}`, line, received, 'service-failed');
