/** Parameters of the QUIC tunnel. */
import { choice, object, size, z } from '../../../core/schema/schema.ts';
import { tunnelStacks } from './programs.ts';

const tunnelModes = ['datagram', 'stream'] as const;
const tunnelControls = ['newreno', 'cubic', 'copa', 'c4', 'bbr3', 'bbr3-paced', 'none'] as const;

export const paramsSchema = object({
  mode: choice(tunnelModes)
    .default('datagram')
    .describe(
      'How a packet travels: in a DATAGRAM frame, which is not sent again when it is lost, ' +
        'or as a unidirectional stream of its own, which is.',
    ),
  congestionControl: choice(tunnelControls)
    .default('cubic')
    .describe(
      'Congestion control of both ends. `copa` is the default mode with competitive mode of the paper (NSDI 2018); ' +
        "`bbr3` is noq's as shipped, which calls it experimental and does not pace an application-limited flow at its " +
        'start; `bbr3-paced` is the same, paced from the first round trip as Linux and the draft do. `c4` follows ' +
        'draft-huitema-ccwg-c4-spec. `none` neither limits nor paces.',
    ),
  copaDelta: z
    .number({ error: issue => `${JSON.stringify(issue.input)} is not a number` })
    .min(0.004, { error: 'must be at least 0.004' })
    .max(10, { error: 'must be at most 10' })
    .default(0.5)
    .describe(
      "Delta of Copa's default mode: the target is one packet in 1/delta of the queue. 0.5 is the paper's value.",
    ),
  stack: choice(tunnelStacks)
    .default('noq')
    .describe('QUIC implementation of both ends: `noq` (Rust), or `quic-go` (Go), which has NewReno only.'),
  sendBuffer: size({ min: 1500, max: 2 ** 30 })
    .default(64_000)
    .describe(
      'Payload that may wait at an end for its first transmission. What comes when it is full is dropped and counted.',
    ),
  qlog: z
    .boolean()
    .default(false)
    .describe(
      'Keeps a log of every QUIC event of both ends (qlog, as a JSON text sequence, ' +
        'readable by qvis) in the folder `qlog` of the application.',
    ),
});

export type Params = z.output<typeof paramsSchema>;
