/** What the receiver of flows that have a size tells, a line for each connection that begins or is over. */

import { checkTold, z } from '../../../core/schema/schema.ts';
import type { Host } from '../../../core/system/host.ts';
import { readToldJson } from '../../../core/system/printed-json.ts';

/** The connection's own. */
const port = z.int().min(1).max(65535);
/** Longer than any trial. */
const mostMs = 1e9;

const begun = z.strictObject({ begun: port });
const over = z.strictObject({ over: port, durationMs: z.number().min(0).max(mostMs), bytes: z.int().min(0) });
export type SizedReceiverLine = z.output<typeof begun> | z.output<typeof over>;

/** `host`: where it runs, for messages. Throws `service-failed` where the line is none. */
export function readReceiverLine(text: string, { name }: Pick<Host, 'name'>): SizedReceiverLine {
  const teller = `the receiver of iperf on ${name}`;
  const told = readToldJson(teller, text, z.looseObject({}), 'service-failed');
  return checkTold('begun' in told ? begun : over, told, `what ${teller} tells`, 'service-failed');
}
