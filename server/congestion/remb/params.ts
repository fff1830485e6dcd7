/** Parameters of the sender that follows REMB. The defaults of bounds and hysteresis are those of aiortc for H.264. */
import { object, rate, ratio, z } from '../../../core/schema/schema.ts';

export const params = object({
  minRate: rate().default(500e3).describe('Minimum bitrate (MIN_BITRATE); the bounds of the stream apply as well.'),
  maxRate: rate().default(3e6).describe('Maximum bitrate (MAX_BITRATE); the bounds of the stream apply as well.'),
  hysteresis: ratio()
    .default(0.1)
    .describe(
      'An estimate that differs by no more than this share from the current rate is ignored. aiortc reopens its encoder for each change.',
    ),
  pacingFactor: z
    .number()
    .min(1)
    .max(100)
    .default(2.5)
    .describe(
      'Pacing rate divided by target rate. libwebrtc uses 2.5 without transport-wide feedback. aiortc does not pace; ' +
        'high values come close to that.',
    ),
}).refine(({ minRate, maxRate }) => minRate <= maxRate, { error: 'minRate is higher than maxRate', path: ['minRate'] });

export type RembParams = z.output<typeof params>;
