/** What may be set of Copa. Defaults are the paper's (NSDI 2018, section 2) unless said. */
import { choice, duration, object, ratio, z } from '../../../core/schema.ts';

export const params = object({
  delta: z.number().min(0.004).max(10).default(0.5)
    .describe('Weight of delay against rate: a flow alone keeps 1 / delta packets in the queue. mvfst has 0.05.'),
  competitive: choice(['auto', 'off']).default('auto').describe('"auto": compete where the queue never empties. "off": never, as in mvfst.'),
  minRttWindow: duration({ min: 1000, max: 600e3 }).default(10e3).describe('The minimum round trip is that of so long.'),
  standingWindow: duration({ min: 0, max: 1000 }).default(40)
    .describe('The standing round trip is the shortest of half a round trip, but of no less than this (own): a frame\'s time, so that the start of a frame is in it.'),
  nearlyEmpty: ratio({ min: 0.01, max: 1 }).default(0.1).describe('The queue has been nearly empty when it was this share of its longest, or less.'),
  heavyLoss: choice(['reduce', 'ignore']).default('reduce')
    .describe('"reduce": a window with more than 30 % of loss makes the next smaller by 30 %, as in genericCC. "ignore": losses count in competition alone, as in the paper.'),
  pacingFactor: z.number().min(1).max(10).default(2).describe('Pacing rate over window / standing round trip.'),
});

export type CopaParams = z.output<typeof params>;
