/** What may be set of the constant rate. */
import { object, rate, z } from '../../../core/schema.ts';

export const params = object({
  rate: rate().optional().describe('Rate of the encoder; without it the rate that the stream starts from. The stream\'s own bounds hold.'),
  pacingFactor: z.number().min(1).max(100).default(2.5)
    .describe('Pacing rate over target: 2.5 as libwebrtc has it without transport-wide feedback. High values let whole frames leave at once.'),
});

export type FixedParams = z.output<typeof params>;
