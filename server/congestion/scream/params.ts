/** What may be set of SCReAM. Every default is that of RFC 8298, section 4.1.1.1. */
import { choice, duration, integer, object, rate, ratio, z } from '../../../core/schema.ts';

export const params = object({
  queueDelayTarget: duration({ min: 5, max: 1000 }).default(100).describe('Queue delay aimed at (QDELAY_TARGET_LO).'),
  maxQueueDelayTarget: duration({ min: 5, max: 5000 }).default(400)
    .describe('Queue delay aimed at, at most, beside flows that only heed losses (QDELAY_TARGET_HI).'),
  competingFlows: choice(['compensate', 'ignore']).default('compensate')
    .describe('"compensate": the queue delay target rises where another flow keeps the queue long (section 4.1.2.3). "ignore": it stays.'),
  minWindow: integer({ min: 1000, max: 100_000 }).default(3000).describe('Least congestion window, bytes (MIN_CWND).'),
  lossBeta: ratio({ min: 0.3, max: 0.99 }).default(0.8).describe('Share of the window that is left after a loss (BETA_LOSS); the authors\' code has 0.7.'),
  ecnBeta: ratio({ min: 0.3, max: 0.99 }).default(0.9).describe('Share of the window and of the target that is left after an ECN mark (BETA_ECN).'),
  rampUpSpeed: rate().default(200e3).describe('Most by which the target grows in a second (RAMP_UP_SPEED).'),
  preCongestionGuard: z.number().min(0).max(1).default(0.1).describe('How much a moving queue delay holds the target back (PRE_CONGESTION_GUARD).'),
  txQueueSizeFactor: z.number().min(0).max(2).default(1).describe('How much the sender\'s own queue holds the target back (TX_QUEUE_SIZE_FACTOR).'),
  rateChange: choice(['as-written', 'difference']).default('as-written')
    .describe('Growth outside of fast increase mode. "as-written": by the throughput, as section 4.1.3 has it. "difference": by the throughput less the target, as the authors\' code has it.'),
}).refine(params => params.queueDelayTarget <= params.maxQueueDelayTarget, { error: 'queueDelayTarget is more than maxQueueDelayTarget', path: ['queueDelayTarget'] });

export type ScreamParams = z.output<typeof params>;
