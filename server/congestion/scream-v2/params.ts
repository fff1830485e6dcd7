/** Parameters of SCReAMv2. All defaults are from draft-johansson-ccwg-rfc8298bis-screamv2. */
import { choice, duration, integer, object, ratio, type z } from '../../../core/schema/schema.ts';

export const params = object({
  queueDelayTarget: duration({ min: 5, max: 1000 }).default(60).describe('Target queue delay (QDELAY_TARGET_LO).'),
  maxQueueDelayTarget: duration({ min: 5, max: 5000 })
    .default(400)
    .describe('Upper bound of the target queue delay beside loss-based flows (QDELAY_TARGET_HI).'),
  competingFlows: choice(['compensate', 'ignore'])
    .default('compensate')
    .describe(
      '`compensate`: the queue delay target rises while another flow keeps the queue long. `ignore`: it does not, as in libwebrtc.',
    ),
  minWindow: integer({ min: 1000, max: 100_000 })
    .default(3000)
    .describe('Minimum reference window in bytes (MIN_REF_WND); libwebrtc uses 1000.'),
  lossBeta: ratio({ min: 0.3, max: 0.99 })
    .default(0.7)
    .describe('Share of the window that remains after a loss (BETA_LOSS).'),
  ecnBeta: ratio({ min: 0.3, max: 0.99 })
    .default(0.8)
    .describe('Share of the window that remains after a mark of classic ECN (BETA_ECN).'),
  ecn: choice(['classic', 'l4s'])
    .default('classic')
    .describe(
      'Reaction to ECN marks. `classic`: a fixed reduction. `l4s`: a reduction by the share of marked packets (IS_L4S).',
    ),
}).refine(params => params.queueDelayTarget <= params.maxQueueDelayTarget, {
  error: 'queueDelayTarget is more than maxQueueDelayTarget',
  path: ['queueDelayTarget'],
});

export type ScreamV2Params = z.output<typeof params>;
