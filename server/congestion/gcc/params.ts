/** Parameters of Google Congestion Control. All defaults except the ceiling of probes are those of libwebrtc. */
import { choice, duration, integer, object, rate, ratio, z } from '../../../core/schema/schema.ts';

export const params = object({
  timestampResolution: duration({ min: 0, max: 64 })
    .optional()
    .describe(
      'Send and arrival times are rounded down to this. Without it, to 1 ms with transport-wide feedback and not at ' +
        'all with RFC 8888 feedback, as in libwebrtc.',
    ),
  trendWindow: integer({ min: 10, max: 200 })
    .default(20)
    .describe('Packet groups in the window of the trendline estimator.'),
  backoff: ratio({ min: 0.5, max: 0.99 })
    .default(0.85)
    .describe('Share of the acked bitrate that remains after over-use.'),
  loss: choice(['model', 'rule'])
    .default('model')
    .describe('`model`: second version of the loss-based estimator. `rule`: the older thresholds of 2 % and 10 %.'),
  probing: choice(['on', 'alr', 'off'])
    .default('on')
    .describe(
      'When it sends probes. `on`: at the start, after a drop, and when the maximum bitrate rises. ' +
        '`alr`: also every 5 s while the sender is application-limited. `off`: never.',
    ),
  probeCeiling: rate()
    .optional()
    .describe(
      'Highest rate of a probe. Without it, twice the maximum bitrate of the stream; ' +
        'libwebrtc uses 5 Mbit/s where the application sets no maximum.',
    ),
  pacingFactor: z
    .number()
    .min(1)
    .max(5)
    .default(1.1)
    .describe('Pacing rate divided by the estimate, after the first feedback.'),
  maxPadding: rate({ min: 0 }).default(0).describe('Rate up to which padding is always sent.'),
  pushback: choice(['drop-frames', 'lower-target', 'off'])
    .default('drop-frames')
    .describe(
      'Reaction to a full congestion window: ask for dropped frames (shown in the trace only), lower the target rate, or none.',
    ),
  windowQueue: duration({ min: 0, max: 5000 })
    .default(350)
    .describe('Queue delay that the congestion window allows on top of the round-trip time.'),
});

export type GccParams = z.output<typeof params>;
