/**
 * What encoder and pacer get of the reference rate: a little less and a little more of it, the more waits in the pacer.
 *
 * Source: RFC 8698, section 5.2.2, equations 11 to 14.
 */
import type { NadaParams } from './params.ts';
import type { RateBounds } from './reference-rate.ts';

/** Largest share of the reference rate that is moved. */
const mostRatio = 0.05;

export type ShapedRates = { encoderBps: number; sendingBps: number };

/** `queuedBytes`: what waits in the pacer, the rate-shaping buffer (buffer_len). */
export function shapeRates(
  referenceBps: number,
  queuedBytes: number,
  { frameRate, betaEncoder, betaSending }: NadaParams,
  { minBps, maxBps }: RateBounds,
): ShapedRates {
  const drainBps = 8 * queuedBytes * frameRate;
  return {
    encoderBps: Math.max(minBps, referenceBps - Math.min(mostRatio * referenceBps, betaEncoder * drainBps)),
    sendingBps: Math.min(maxBps, referenceBps + Math.min(mostRatio * referenceBps, betaSending * drainBps)),
  };
}
