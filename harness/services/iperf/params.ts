/** Parameters of iperf3. */
import { choice, duration, integer, object, size, z } from '../../../core/schema/schema.ts';
import { dctcpName } from '../../../shaper/marking/dctcp.ts';
import { congestionParams } from '../shared/congestion-param.ts';

export const paramsSchema = object({
  ...congestionParams('bbr'),
  flows: integer({ min: 1, max: 64 }).default(1).describe('Parallel TCP connections.'),
  stagger: duration({ min: 0, max: 600e3 }).default(0).describe('Time between the starts of two flows.'),
  bytes: size({ min: 1000, max: 1e12 })
    .optional()
    .describe(
      'Bytes that each flow sends before it ends; a program of Coexist sends them instead of iperf3. Without it, flows do not end.',
    ),
  ecn: choice(['off', 'classic', 'l4s'])
    .default('off')
    .describe(
      '`classic`: the flows use ECN (RFC 3168) and send ECT(0), which both ends agree on. `l4s`: they send ECT(1), which ' +
        'goes with the congestion control `dctcp-like` of this repository (RFC 8257 by BPF; not TCP Prague), and only ' +
        'with it. `off`: no ECN, as in most of the Internet.',
    ),
  telemetry: z
    .boolean()
    .default(true)
    .describe('Records the path model of `bbr3` ten times a second, and each of its changes of state.'),
})
  .refine(({ ecn, congestionControl }) => (ecn === 'l4s') === (congestionControl === dctcpName), {
    error: `ecn "l4s" and congestionControl "${dctcpName}" go together`,
    path: ['ecn'],
  })
  .refine(({ ecn, bytes }) => ecn !== 'l4s' || bytes === undefined, {
    error: `flows of ${dctcpName} have no end: leave out bytes`,
    path: ['bytes'],
  });

export type Params = z.output<typeof paramsSchema>;

/** Returns the number of pairs of programs. Flows that begin at different times need separate programs. */
export function pairsOf({ flows, stagger }: Params): number {
  return stagger > 0 ? flows : 1;
}
