/**
 * When a discipline drops packets that cannot be marked, as far as the preflight has to know it (shaper/calibrate/laws):
 * to measure a link so that its discipline does not act, and to prove the discipline by what it does.
 */
export type DropLaw =
  /** Nothing before the limit. */
  | { kind: 'tail' }
  /**
   * RFC 8289: the head, once packets have waited for more than the target through a whole interval. Nothing while at
   * most `sparedBytes` wait behind it.
   */
  | { kind: 'codel'; targetMs: number; intervalMs: number; sparedBytes: number }
  /** RFC 8033: an arrival, with a probability that follows the delay; the values beside these are those of the RFC. */
  | { kind: 'pie'; targetMs: number; updateMs: number }
  /** RFC 9332: with the square of a probability that L4S traffic is marked with `coupling` times. */
  | { kind: 'dualpi2'; targetMs: number; updateMs: number; stepMs: number; coupling: number };
