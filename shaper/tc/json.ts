/** Parser of the queue disciplines that `tc -s -j` prints (the fields used here), and the commands that print them. */

import { z } from '../../core/schema/schema.ts';
import type { Host } from '../../core/system/host.ts';
import { readPrintedJson } from '../../core/system/printed-json.ts';

const text = z.string();
const count = z.number().min(0);

const qdisc = z.looseObject({
  kind: text,
  handle: text,
  root: z.boolean().optional(),
  parent: text.optional(),
  options: z
    .looseObject({
      limit: count.optional(),
      // bytes per second; for netem within an object
      rate: z.union([count, z.looseObject({ rate: z.union([count, text]) })]).optional(),
    })
    .optional(),
  bytes: count.optional(),
  packets: count.optional(),
  drops: count.optional(),
  ecn_mark: count.optional(),
  backlog: count.optional(),
  qlen: count.optional(),
});

export type Qdisc = z.output<typeof qdisc>;

/**
 * Parses the output of tc. `command`: command that printed it, for messages. Throws `command-failed` if the output is
 * not valid.
 */
export const readQdiscs = (stdout: string, command = 'tc -s -j qdisc'): Qdisc[] =>
  readPrintedJson(command, stdout, z.array(qdisc));

export async function qdiscsOf(host: Host, device: string): Promise<Qdisc[]> {
  const command = ['tc', '-s', '-j', 'qdisc', 'show', 'dev', device];
  return readQdiscs((await host.run(command)).stdout, command.join(' '));
}
