/** What the receiver of the flow tells: read through a schema, since it may run on another machine. */

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

/** `host`: where it runs, for messages. Throws `service-failed` where the line is none. */
export const readReceived = (line: string, { name }: Pick<Host, 'name'>): Received =>
  readToldJson(`the receiver of udp-flow on ${name}`, line, received, 'service-failed');
