/** Parameters of Copa. Defaults are those of the paper (NSDI 2018, section 2) unless a description says otherwise. */
import { choice, duration, object, ratio, z } from '../../../core/schema/schema.ts';

export const params = object({
  delta: z
    .number()
    .min(0.004)
    .max(10)
    .default(0.5)
    .describe('Weight of delay against rate: a flow alone keeps 1/delta packets in the queue. mvfst uses 0.05.'),
  competitive: choice(['auto', 'off'])
    .default('auto')
    .describe('`auto`: competitive mode while the queue never empties. `off`: never, as in mvfst.'),
  minRttWindow: duration({ min: 1000, max: 600e3 })
    .default(10e3)
    .describe('Time over which the minimum round-trip time is taken.'),
  standingWindow: duration({ min: 0, max: 1000 })
    .default(40)
    .describe(
      'Least time over which the standing round-trip time is taken; otherwise half a round trip. ' +
        'The default is about one frame interval (own choice).',
    ),
  nearlyEmpty: ratio({ min: 0.01, max: 1 })
    .default(0.1)
    .describe('The queue counts as nearly empty at this share of its maximum delay, or less.'),
  heavyLoss: choice(['reduce', 'ignore'])
    .default('reduce')
    .describe(
      '`reduce`: a loss of more than 30 % reduces the next window by 30 %, as in genericCC. ' +
        '`ignore`: losses count in competitive mode only, as in the paper.',
    ),
  pacingFactor: z
    .number()
    .min(1)
    .max(10)
    .default(2)
    .describe('Pacing rate divided by window / standing round-trip time.'),
});

export type CopaParams = z.output<typeof params>;
