/** What may be set of the Google Congestion Control. Every default is libwebrtc's, but for the ceiling of probes. */
import { choice, duration, integer, object, rate, ratio, z } from '../../../core/schema.ts';

export const params = object({
  timestampResolution: duration({ min: 0, max: 64 }).optional()
    .describe('Arrival and sending times are rounded down to this. Without it to 1 ms with transport-wide feedback and not at all with that of RFC 8888, as libwebrtc does.'),
  trendWindow: integer({ min: 10, max: 200 }).default(20).describe('Packet groups in the trendline\'s window.'),
  backoff: ratio({ min: 0.5, max: 0.99 }).default(0.85).describe('Share of the acked bitrate that is left at over-use.'),
  loss: choice(['model', 'rule']).default('model')
    .describe('"model": the loss-based estimate, second version. "rule": the old 2 % and 10 % thresholds throughout.'),
  probing: choice(['on', 'alr', 'off']).default('on')
    .describe('"on": at the start, after drops and when the media may use more. "alr": also every 5 s while the encoder uses too little. "off": never.'),
  probeCeiling: rate().optional()
    .describe('Highest rate of a probe; without it twice what the media can use. libwebrtc takes 5 Mbit/s where the application sets no maximum.'),
  pacingFactor: z.number().min(1).max(5).default(1.1).describe('Pacing rate over estimate, once there was feedback.'),
  maxPadding: rate({ min: 0 }).default(0).describe('Rate up to which padding is sent at all times.'),
  pushback: choice(['drop-frames', 'lower-target', 'off']).default('drop-frames')
    .describe('What a full congestion window does: ask for dropped frames (seen in the trace only), lower the target, or nothing.'),
  windowQueue: duration({ min: 0, max: 5000 }).default(350).describe('Queue that the congestion window allows on top of the round trip.'),
});

export type GccParams = z.output<typeof params>;
