/** Parameters of the constant rate. */
import { object, rate, z } from '../../../core/schema/schema.ts';

export const params = object({
  rate: rate()
    .optional()
    .describe(
      'Bitrate of the encoder, within the minimum and maximum of the stream. Without it, the start bitrate of the stream.',
    ),
  pacingFactor: z
    .number()
    .min(1)
    .max(100)
    .default(2.5)
    .describe(
      'Pacing rate divided by target rate. libwebrtc uses 2.5 without transport-wide feedback. High values send whole frames at once.',
    ),
});

export type FixedParams = z.output<typeof params>;
