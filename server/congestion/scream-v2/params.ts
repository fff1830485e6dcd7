/** What may be set of SCReAMv2. Every default is that of draft-johansson-ccwg-rfc8298bis-screamv2. */
import { choice, duration, integer, object, ratio } from '../../../core/schema.ts';
import type { z } from '../../../core/schema.ts';

export const params = object({
  queueDelayTarget: duration({ min: 5, max: 1000 }).default(60).describe('Queue delay aimed at (QDELAY_TARGET_LO).'),
  maxQueueDelayTarget: duration({ min: 5, max: 5000 }).default(400)
    .describe('Queue delay aimed at, at most, beside flows that only heed losses (QDELAY_TARGET_HI).'),
  competingFlows: choice(['compensate', 'ignore']).default('compensate')
    .describe('"compensate": the queue delay target rises where another flow keeps the queue long. "ignore": it stays, as in libwebrtc.'),
  minWindow: integer({ min: 1000, max: 100_000 }).default(3000).describe('Least reference window, bytes (MIN_REF_WND); libwebrtc has 1000.'),
  lossBeta: ratio({ min: 0.3, max: 0.99 }).default(0.7).describe('Share of the window that is left after a loss (BETA_LOSS).'),
  ecnBeta: ratio({ min: 0.3, max: 0.99 }).default(0.8).describe('Share of the window that is left after a mark of classic ECN (BETA_ECN).'),
  ecn: choice(['classic', 'l4s']).default('classic')
    .describe('What a mark means. "classic": a fixed cut. "l4s": a cut by the share of marked packets (IS_L4S).'),
}).refine(params => params.queueDelayTarget <= params.maxQueueDelayTarget, { error: 'queueDelayTarget is more than maxQueueDelayTarget', path: ['queueDelayTarget'] });

export type ScreamV2Params = z.output<typeof params>;
