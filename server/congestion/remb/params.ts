/** What may be set of the sender that goes by REMB. The bounds and the hysteresis are aiortc's for H.264. */
import { object, rate, ratio, z } from '../../../core/schema.ts';

export const params = object({
  minRate: rate().default(500e3).describe('Least that the encoder is given (MIN_BITRATE). The stream\'s own bounds hold as well.'),
  maxRate: rate().default(3e6).describe('Most that the encoder is given (MAX_BITRATE). The stream\'s own bounds hold as well.'),
  hysteresis: ratio().default(0.1).describe('An estimate this close to the present rate, or closer, changes nothing: there the encoder is opened anew for each change.'),
  pacingFactor: z.number().min(1).max(100).default(2.5)
    .describe('Pacing rate over target: 2.5 as libwebrtc has it without transport-wide feedback. aiortc does not pace; high values come near to that.'),
}).refine(({ minRate, maxRate }) => minRate <= maxRate, { error: 'minRate is higher than maxRate', path: ['minRate'] });

export type RembParams = z.output<typeof params>;
