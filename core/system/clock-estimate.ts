/**
 * Estimates the offset of another machine's clock from ours by two-way probes at two times, such as before and after a
 * trial.
 *
 * A probe leaves at t1 and returns at t4 of our clock; it arrives at t2 and leaves at t3 of the other clock (the four
 * times of RFC 5905, section 8). Delays are not negative, so the true offset differs from ((t2 - t1) + (t3 - t4)) / 2
 * by at most half the round trip, however asymmetric the path is. The probe with the shortest round trip gives the
 * tightest bound. Between the best probes of the two bursts, the estimate interpolates the offset linearly.
 */

/**
 * Times of a probe, us. The probe left at `t1` and returned at `t4` of our clock; it arrived at `t2` and left at `t3`
 * of the other clock.
 */
export type ClockSample = { t1: number; t2: number; t3: number; t4: number };

/** Best probe of a burst: the probe with the shortest round trip. */
type Anchor = {
  /** Time of the probe by our clock, us. */
  atUs: number;
  /** Offset of the other clock at `atUs`, us: other clock minus our clock. */
  offsetUs: number;
  halfRoundTripUs: number;
};

/**
 * Estimated offset of another machine's clock over time. The type holds only numbers, so that a record can store it.
 */
export type ClockEstimate = {
  first: Anchor;
  /** Best probe of the second burst. Null if there was one burst only; the drift is then unknown. */
  second: Anchor | null;
  /**
   * Largest distance of the interpolated line from the bounds that a probe sets, us. A positive value means that the
   * other clock did not run evenly.
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

/** Estimates the other clock from one or two bursts of probes. Undefined if no probe of the first burst returned. */
export function estimateClock(
  first: readonly ClockSample[],
  second: readonly ClockSample[] = [],
): ClockEstimate | undefined {
  const [start, end] = [bestOf(first), bestOf(second)];
  if (start === null) return undefined;
  const estimate: ClockEstimate = { first: start, second: end, residualUs: 0 };
  // one burst is too short to show a drift
  if (end === null) return estimate;
  for (const { atUs, offsetUs, halfRoundTripUs } of [...first, ...second].map(anchorOf)) {
    const gap = Math.abs(offsetUs - offsetAt(estimate, atUs).offsetUs) - halfRoundTripUs;
    estimate.residualUs = Math.max(estimate.residualUs, gap);
  }
  return estimate;
}

/** Returns the offset (other clock minus our clock) at a time of our clock, and the largest error of this offset. */
export function offsetAt(
  { first, second, residualUs }: ClockEstimate,
  atUs: number,
): { offsetUs: number; uncertaintyUs: number } {
  if (second === null) return { offsetUs: first.offsetUs, uncertaintyUs: first.halfRoundTripUs + residualUs };
  const share = (atUs - first.atUs) / (second.atUs - first.atUs);
  return {
    offsetUs: (1 - share) * first.offsetUs + share * second.offsetUs,
    // before the first and after the second burst the uncertainty grows with the distance from the bursts
    uncertaintyUs: Math.abs(1 - share) * first.halfRoundTripUs + Math.abs(share) * second.halfRoundTripUs + residualUs,
  };
}

/**
 * Returns the drift of the other clock in parts per million (us per s), positive if the other clock is faster than
 * ours. Null if there was one burst only.
 */
export function driftOf({ first, second }: ClockEstimate): { driftPpm: number; uncertaintyPpm: number } | null {
  if (second === null) return null;
  const seconds = (second.atUs - first.atUs) / 1e6;
  return {
    driftPpm: (second.offsetUs - first.offsetUs) / seconds,
    uncertaintyPpm: (first.halfRoundTripUs + second.halfRoundTripUs) / seconds,
  };
}
