/** Parameters of SCReAM. All defaults are from RFC 8298, section 4.1.1.1. */
import { choice, duration, integer, object, rate, ratio, z } from '../../../core/schema/schema.ts';

export const params = object({
  queueDelayTarget: duration({ min: 5, max: 1000 }).default(100).describe('Target queue delay (QDELAY_TARGET_LO).'),
  maxQueueDelayTarget: duration({ min: 5, max: 5000 })
    .default(400)
    .describe('Upper bound of the target queue delay beside loss-based flows (QDELAY_TARGET_HI).'),
  competingFlows: choice(['compensate', 'ignore'])
    .default('compensate')
    .describe(
      '`compensate`: the queue delay target rises while another flow keeps the queue long (section 4.1.2.3). `ignore`: it does not.',
    ),
  minWindow: integer({ min: 1000, max: 100_000 })
    .default(3000)
    .describe('Minimum congestion window in bytes (MIN_CWND).'),
  lossBeta: ratio({ min: 0.3, max: 0.99 })
    .default(0.8)
    .describe('Share of the window that remains after a loss (BETA_LOSS); the code of the authors uses 0.7.'),
  ecnBeta: ratio({ min: 0.3, max: 0.99 })
    .default(0.9)
    .describe('Share of the window and of the target rate that remains after an ECN mark (BETA_ECN).'),
  rampUpSpeed: rate().default(200e3).describe('Maximum increase of the target rate per second (RAMP_UP_SPEED).'),
  preCongestionGuard: z
    .number()
    .min(0)
    .max(1)
    .default(0.1)
    .describe('How strongly a rising queue delay limits the target rate (PRE_CONGESTION_GUARD).'),
  txQueueSizeFactor: z
    .number()
    .min(0)
    .max(2)
    .default(1)
    .describe('How strongly the send queue limits the target rate (TX_QUEUE_SIZE_FACTOR).'),
  rateChange: choice(['as-written', 'difference'])
    .default('as-written')
    .describe(
      'Growth outside of fast increase mode. `as-written`: by the throughput, as in section 4.1.3. ' +
        '`difference`: by the throughput minus the target rate, as in the code of the authors.',
    ),
}).refine(params => params.queueDelayTarget <= params.maxQueueDelayTarget, {
  error: 'queueDelayTarget is more than maxQueueDelayTarget',
  path: ['queueDelayTarget'],
});

export type ScreamParams = z.output<typeof params>;
