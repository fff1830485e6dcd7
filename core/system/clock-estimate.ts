/**
 * Estimates the offset of another machine's clock from ours, from two-way probes at two times, such as before and after
 * a trial.
 *
 * A probe leaves at t1 and comes back at t4 of our clock; it arrives at t2 and leaves again at t3 of the other clock
 * (the four times of RFC 5905, section 8). No delay is negative, so the true offset lies within half the round trip of
 * ((t2 - t1) + (t3 - t4)) / 2, however unequal the two directions are. The probe with the least round trip bounds it
 * best. Between the best probe of the first burst and that of the second the offset is taken to be a straight line.
 */

/** One probe; all times in us, t1 and t4 of our clock, t2 and t3 of the other one. */
export type ClockSample = { t1: number; t2: number; t3: number; t4: number };

/** The best probe of a burst. */
type Anchor = {
  /** Our time, us. */
  atUs: number;
  /** Other clock minus ours. */
  offsetUs: number;
  halfRoundTripUs: number;
};

/** Numbers only, so that it can be written into a record. */
export type ClockEstimate = {
  first: Anchor;
  /** Null where there was one burst: then the drift is not known. */
  second: Anchor | null;
  /** The largest deviation of the line from the bounds that a probe proves: the clock did not run evenly. */
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

/** Undefined where no probe came back in the first burst. */
export function estimateClock(
  first: readonly ClockSample[],
  second: readonly ClockSample[] = [],
): ClockEstimate | undefined {
  const [start, end] = [bestOf(first), bestOf(second)];
  if (start === null) return undefined;
  const estimate: ClockEstimate = { first: start, second: end, residualUs: 0 };
  // a single burst is too short for its line to say anything
  if (end === null) return estimate;
  for (const { atUs, offsetUs, halfRoundTripUs } of [...first, ...second].map(anchorOf)) {
    const gap = Math.abs(offsetUs - offsetAt(estimate, atUs).offsetUs) - halfRoundTripUs;
    estimate.residualUs = Math.max(estimate.residualUs, gap);
  }
  return estimate;
}

/** The other clock minus ours at a time of ours, and within how much it is right. */
export function offsetAt(
  { first, second, residualUs }: ClockEstimate,
  atUs: number,
): { offsetUs: number; uncertaintyUs: number } {
  if (second === null) return { offsetUs: first.offsetUs, uncertaintyUs: first.halfRoundTripUs + residualUs };
  const share = (atUs - first.atUs) / (second.atUs - first.atUs);
  return {
    offsetUs: (1 - share) * first.offsetUs + share * second.offsetUs,
    // outside of the two bursts the uncertainty grows with the distance from them
    uncertaintyUs: Math.abs(1 - share) * first.halfRoundTripUs + Math.abs(share) * second.halfRoundTripUs + residualUs,
  };
}

/** By how much the other clock is faster than ours, in parts per million (us per s); null where it is not known. */
export function driftOf({ first, second }: ClockEstimate): { driftPpm: number; uncertaintyPpm: number } | null {
  if (second === null) return null;
  const seconds = (second.atUs - first.atUs) / 1e6;
  return {
    driftPpm: (second.offsetUs - first.offsetUs) / seconds,
    uncertaintyPpm: (first.halfRoundTripUs + second.halfRoundTripUs) / seconds,
  };
}
