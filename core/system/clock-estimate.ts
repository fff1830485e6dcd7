/**
 * Estimates the offset of another machine's clock from ours by two-way probes at two times, such as before and after a
 * trial.
 *
 * A probe leaves at t1 and returns at t4 of our clock; it arrives at t2 and leaves at t3 of the other clock (the four
 * times of RFC 5905, section 8). Delays are not negative, so the true offset differs from ((t2 - t1) + (t3 - t4)) / 2
 * by at most half the round trip, however asymmetric the path is. The probe with the shortest round trip gives the
 * tightest bound. Between the best probes of the two bursts, the estimate interpolates the offset linearly.
 */

/** A probe. All times in us: t1 and t4 of our clock, t2 and t3 of the other one. */
export type ClockSample = { t1: number; t2: number; t3: number; t4: number };

/** The best probe of a burst, with times in us. */
type Anchor = {
  /** Time of our clock. */
  atUs: number;
  /** Offset: other clock minus our clock. */
  offsetUs: number;
  halfRoundTripUs: number;
};

/** Estimate of a clock. It holds only numbers, so that it can be stored in a record. */
export type ClockEstimate = {
  first: Anchor;
  /** Null if there was one burst. The drift is then unknown. */
  second: Anchor | null;
  /**
   * Largest distance of the line from the bounds of a probe. A positive value means that the clock did not run evenly.
   */
  residualUs: number;
};

export const roundTripUs = ({ t1, t2, t3, t4 }: ClockSample) => t4 - t1 - (t3 - t2);

const anchorOf = (sample: ClockSample): Anchor => ({
  atUs: (sample.t1 + sample.t4) / 2,
  offsetUs: (sample.t2 - sample.t1 + (sample.t3 - sample.t4)) / 2,
  halfRoundTripUs: roundTripUs(sample) / 2,
});

function bestOf(samples: readonly ClockSample[]): Anchor | null {
  const anchors = samples.map(anchorOf);
  return anchors.reduce<Anchor | null>(
    (best, anchor) => (best === null || anchor.halfRoundTripUs < best.halfRoundTripUs ? anchor : best),
    null,
  );
}

/** Returns the estimate. Undefined if no probe of the first burst returned. */
export function estimateClock(
  first: readonly ClockSample[],
  second: readonly ClockSample[] = [],
): ClockEstimate | undefined {
  const [start, end] = [bestOf(first), bestOf(second)];
  if (start === null) return undefined;
  const estimate: ClockEstimate = { first: start, second: end, residualUs: 0 };
  // a single burst is too short to show a drift
  if (end === null) return estimate;
  for (const { atUs, offsetUs, halfRoundTripUs } of [...first, ...second].map(anchorOf)) {
    const gap = Math.abs(offsetUs - offsetAt(estimate, atUs).offsetUs) - halfRoundTripUs;
    estimate.residualUs = Math.max(estimate.residualUs, gap);
  }
  return estimate;
}

/** Returns the offset (other clock minus our clock) at a time of our clock, and its uncertainty. */
export function offsetAt(
  { first, second, residualUs }: ClockEstimate,
  atUs: number,
): { offsetUs: number; uncertaintyUs: number } {
  if (second === null) return { offsetUs: first.offsetUs, uncertaintyUs: first.halfRoundTripUs + residualUs };
  const share = (atUs - first.atUs) / (second.atUs - first.atUs);
  return {
    offsetUs: (1 - share) * first.offsetUs + share * second.offsetUs,
    // outside the two bursts the uncertainty grows with the distance from them
    uncertaintyUs: Math.abs(1 - share) * first.halfRoundTripUs + Math.abs(share) * second.halfRoundTripUs + residualUs,
  };
}

/**
 * Returns the drift of the other clock in parts per million (us per s), positive if it is faster than ours. Null if
 * unknown.
 */
export function driftOf({ first, second }: ClockEstimate): { driftPpm: number; uncertaintyPpm: number } | null {
  if (second === null) return null;
  const seconds = (second.atUs - first.atUs) / 1e6;
  return {
    driftPpm: (second.offsetUs - first.offsetUs) / seconds,
    uncertaintyPpm: (first.halfRoundTripUs + second.halfRoundTripUs) / seconds,
  };
}
