/**
 * Rates of encoder and pacer. With bytes in the pacer the encoder's rate is slightly below the reference rate, and the
 * pacer's rate slightly above.
 *
 * Source: RFC 8698, section 5.2.2, equations 11 to 14.
 */
import type { NadaParams } from './params.ts';
import type { RateBounds } from './reference-rate.ts';

/** Largest deviation from the reference rate, as a share of the reference rate. */
const mostRatio = 0.05;

export type ShapedRates = { encoderBps: number; sendingBps: number };

/**
 * Returns the rates of encoder and pacer. `queuedBytes`: bytes in the pacer, which is the rate-shaping buffer
 * (buffer_len).
 */
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
