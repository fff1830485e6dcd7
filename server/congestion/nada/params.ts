/**
 * Parameters of NADA. Defaults are those of RFC 8698, table 2, unless a description says otherwise; each description
 * names the symbol in the RFC.
 */
import { choice, duration, integer, object, rate, ratio, z } from '../../../core/schema/schema.ts';

const factor = (max: number) => z.number().positive().max(max);

export const params = object({
  priority: factor(100).default(1).describe('Weight of the flow among others (PRIO).'),
  referenceMaxRate: rate()
    .optional()
    .describe(
      'Rate that the equilibrium is proportional to (RMAX in equation 5). Without it, ' +
        'the maximum bitrate of the stream. Flows with equal values share equally.',
    ),
  referenceSignal: duration({ min: 1, max: 1000 })
    .default(10)
    .describe('Congestion signal at which the highest rate is held (XREF).'),
  kappa: factor(10).default(0.5).describe('Speed of the gradual update (KAPPA).'),
  eta: factor(100)
    .default(2)
    .describe('Weight of the change of the signal relative to its distance from the equilibrium (ETA).'),
  tau: duration({ min: 10, max: 10e3 })
    .default(500)
    .describe('Upper bound of the round-trip time in the gradual update (TAU).'),
  updateInterval: duration({ min: 10, max: 1000 }).default(100).describe('Interval of rate updates (DELTA).'),
  window: duration({ min: 100, max: 5000 })
    .default(500)
    .describe('Observation window for losses and for the choice of mode (LOGWIN).'),
  clearDelay: duration({ min: 1, max: 1000 })
    .default(10)
    .describe('Queue delay below which the link counts as uncongested (QEPS).'),
  clearDelayOf: choice(['filtered', 'raw'])
    .default('filtered')
    .describe(
      'Delays compared with `clearDelay`: after the minimum filter, or of each packet. ' +
        'A frame that is sent in one burst has long delays even on an idle link.',
    ),
  filterDelay: duration({ min: 0, max: 2000 }).default(120).describe('Bound on the delay that filtering adds (DFILT).'),
  maxRampUp: ratio({ min: 0.01, max: 10 })
    .default(0.5)
    .describe('Largest increase over the receiving rate in one step of the ramp-up (GAMMA_MAX).'),
  rampUpQueue: duration({ min: 1, max: 1000 })
    .default(50)
    .describe('Bound on the queue delay that the ramp-up may cause (QBOUND).'),
  lossExpiry: factor(100)
    .default(7)
    .describe('Number of average loss intervals without a loss after which delays are no longer warped (MULTILOSS).'),
  lossInterval: choice(['closed', 'tfrc'])
    .default('closed')
    .describe(
      'Intervals in the average. `closed`: those that a loss has ended. `tfrc`: also the open one, as in RFC 5348; ' +
        'warping then never ends.',
    ),
  warpDelay: duration({ min: 1, max: 5000 })
    .default(50)
    .describe('Queue delay above which delays are warped after a loss (QTH).'),
  lambda: factor(100).default(0.5).describe('Exponent of the warping (LAMBDA).'),
  referenceLoss: ratio({ min: 0.0001, max: 1 })
    .default(0.01)
    .describe('Reference loss ratio (PLRREF): it counts as much as `lossDelay`.'),
  lossDelay: duration({ min: 0, max: 1000 }).default(10).describe('Delay penalty of the reference loss ratio (DLOSS).'),
  referenceMark: ratio({ min: 0.0001, max: 1 })
    .default(0.01)
    .describe(
      'Reference ratio of ECN marks (PMRREF): it counts as much as `markDelay`. Only RFC 8888 feedback reports marks.',
    ),
  markDelay: duration({ min: 0, max: 1000 })
    .default(2)
    .describe('Delay penalty of the reference ratio of marks (DMARK).'),
  smoothing: ratio({ min: 0.001, max: 1 })
    .default(0.1)
    .describe('Weight of a new loss or mark ratio in the exponential average (ALPHA).'),
  maxSignal: duration({ min: 10, max: 32_767 })
    .default(500)
    .describe('Upper bound of the congestion signal (as in ns3-rmcat; the field of the RFC ends at 3.27 s).'),
  filterSamples: integer({ min: 1, max: 1000 })
    .default(15)
    .describe('Packets in the minimum filter of the queue delay (section 5.1.1).'),
  frameRate: integer({ min: 1, max: 240 }).default(30).describe('Frame rate used for the rate-shaping buffer (FPS).'),
  betaEncoder: z
    .number()
    .min(0)
    .max(10)
    .default(0.1)
    .describe(
      'Share of the rate that would empty the pacer within one frame, subtracted from the encoder rate (BETA_V).',
    ),
  betaSending: z.number().min(0).max(10).default(0.1).describe('The same share, added to the sending rate (BETA_S).'),
});

export type NadaParams = z.output<typeof params>;
