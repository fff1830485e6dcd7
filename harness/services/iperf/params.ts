/** What may be set of iperf3. */
import { duration, integer, object, size, z } from '../../../core/schema.ts';
import { congestionParams } from '../shared/congestion-param.ts';

export const paramsSchema = object({
  ...congestionParams('bbr'),
  flows: integer({ min: 1, max: 64 }).default(1).describe('Parallel TCP connections.'),
  stagger: duration({ min: 0, max: 600e3 }).default(0).describe('Time from the start of one flow to that of the next.'),
  bytes: size({ min: 1000, max: 1e12 }).optional().describe('Each flow sends so much and is over, sent by a small program instead of iperf3; without it, flows have no end.'),
  telemetry: z.boolean({ error: issue => `${JSON.stringify(issue.input)} is not true or false` }).default(true)
    .describe('Writes down BBRv3\'s model of the path ten times a second, and its every change of state.'),
});

export type Params = z.output<typeof paramsSchema>;

/** Pairs of programs that it takes: flows that begin at different times need programs of their own. */
export function pairsOf({ flows, stagger }: Params): number {
  return stagger > 0 ? flows : 1;
}
