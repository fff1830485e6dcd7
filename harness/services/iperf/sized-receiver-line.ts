/**
 * Parses the lines of the program that receives flows with a size. It prints a line for each connection that begins or
 * ends.
 */

import { checkTold, z } from '../../../core/schema/schema.ts';
import type { Host } from '../../../core/system/host.ts';
import { readToldJson } from '../../../core/system/printed-json.ts';

/** Port of the connection at the receiver. */
const port = z.int().min(1).max(65535);
/** Longest duration of a connection, ms; no trial is longer. */
const mostMs = 1e9;

const begun = z.strictObject({ begun: port });
const over = z.strictObject({ over: port, durationMs: z.number().min(0).max(mostMs), bytes: z.int().min(0) });
export type SizedReceiverLine = z.output<typeof begun> | z.output<typeof over>;

/** Parses a line. `host`: host of the receiver, for messages. Throws `service-failed` if the line cannot be read. */
export function readReceiverLine(text: string, { name }: Pick<Host, 'name'>): SizedReceiverLine {
  const teller = `the receiver of iperf on ${name}`;
  const told = readToldJson(teller, text, z.looseObject({}), 'service-failed');
  return checkTold('begun' in told ? begun : over, told, `what ${teller} tells`, 'service-failed');
}
