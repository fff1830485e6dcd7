/** What may be set of NADA. Defaults are those of RFC 8698, table 2, unless said; its symbol is in each description. */
import { choice, duration, integer, object, rate, ratio, z } from '../../../core/schema.ts';

const factor = (max: number) => z.number().positive().max(max);

export const params = object({
  priority: factor(100).default(1).describe('Weight of the flow among others (PRIO).'),
  referenceMaxRate: rate().optional()
    .describe('Rate to which the equilibrium is proportional (RMAX in equation 5); without it the most that the media can use. Equal values share equally.'),
  referenceSignal: duration({ min: 1, max: 1000 }).default(10).describe('Congestion signal at which the highest rate is kept (XREF).'),
  kappa: factor(10).default(0.5).describe('Speed of the gradual update (KAPPA).'),
  eta: factor(100).default(2).describe('Weight of the signal\'s change against its distance from the equilibrium (ETA).'),
  tau: duration({ min: 10, max: 10e3 }).default(500).describe('Longest round trip that the gradual update is made for (TAU).'),
  updateInterval: duration({ min: 10, max: 1000 }).default(100).describe('The rate is updated with the first report after this time (DELTA).'),
  window: duration({ min: 100, max: 5000 }).default(500).describe('Packets sent within this time count for losses and for the mode (LOGWIN).'),
  clearDelay: duration({ min: 1, max: 1000 }).default(10).describe('The link is taken to be free where all queue delays are shorter (QEPS).'),
  clearDelayOf: choice(['filtered', 'raw']).default('filtered')
    .describe('Which delays that are: after the minimum filter, or of each packet; a frame that leaves in one burst has long ones on a free link.'),
  filterDelay: duration({ min: 0, max: 2000 }).default(120).describe('Longest delay that filtering adds (DFILT).'),
  maxRampUp: ratio({ min: 0.01, max: 10 }).default(0.5).describe('Largest growth over the receiving rate in a step of the ramp-up (GAMMA_MAX).'),
  rampUpQueue: duration({ min: 1, max: 1000 }).default(50).describe('Longest queue that the ramp-up may build (QBOUND).'),
  lossExpiry: factor(100).default(7).describe('Delays are warped until so many average loss intervals have passed without a loss (MULTILOSS).'),
  lossInterval: choice(['closed', 'tfrc']).default('closed')
    .describe('"closed": the average over intervals that a loss has ended. "tfrc": with the open one, as in RFC 5348; warping then never ends.'),
  warpDelay: duration({ min: 1, max: 5000 }).default(50).describe('Longer queue delays are warped after a loss (QTH).'),
  lambda: factor(100).default(0.5).describe('Exponent of the warping (LAMBDA).'),
  referenceLoss: ratio({ min: 0.0001, max: 1 }).default(0.01).describe('Loss ratio that weighs as much as the loss delay (PLRREF).'),
  lossDelay: duration({ min: 0, max: 1000 }).default(10).describe('Delay that stands for the reference loss ratio (DLOSS).'),
  referenceMark: ratio({ min: 0.0001, max: 1 }).default(0.01).describe('Ratio of ECN marks that weighs as much as the mark delay (PMRREF). Only feedback by RFC 8888 tells of marks.'),
  markDelay: duration({ min: 0, max: 1000 }).default(2).describe('Delay that stands for the reference ratio of marks (DMARK).'),
  smoothing: ratio({ min: 0.001, max: 1 }).default(0.1).describe('Weight of a new loss or mark ratio in the smoothed one (ALPHA).'),
  maxSignal: duration({ min: 10, max: 32_767 }).default(500).describe('The congestion signal is never taken for more (ns3-rmcat; the RFC has a field of 3.27 s).'),
  filterSamples: integer({ min: 1, max: 1000 }).default(15).describe('Packets in the minimum filter of the queue delay (section 5.1.1).'),
  frameRate: integer({ min: 1, max: 240 }).default(30).describe('Pictures per second that the pacer\'s queue is measured by (FPS).'),
  betaEncoder: z.number().min(0).max(10).default(0.1).describe('Share of the rate that would empty the pacer in one picture, taken from the encoder (BETA_V).'),
  betaSending: z.number().min(0).max(10).default(0.1).describe('The same, given to the pacer (BETA_S).'),
});

export type NadaParams = z.output<typeof params>;
