/**
 * Drop law: when a queue discipline drops packets that cannot be marked. The preflight (shaper/calibrate/laws) uses it
 * to measure a link without triggering the discipline, and to verify the discipline by its drops.
 */
export type DropLaw =
  /** Drops nothing below the queue limit. */
  | { kind: 'tail' }
  /**
   * RFC 8289: drops the head once packets have waited longer than the target for a whole interval. Drops nothing while
   * at most `sparedBytes` wait behind the head.
   */
  | { kind: 'codel'; targetMs: number; intervalMs: number; sparedBytes: number }
  /**
   * RFC 8033: drops an arriving packet with a probability that follows the delay. All other parameters are those of the
   * RFC.
   */
  | { kind: 'pie'; targetMs: number; updateMs: number }
  /** RFC 9332: drops with probability p^2. L4S traffic is marked with probability `coupling` times p. */
  | { kind: 'dualpi2'; targetMs: number; updateMs: number; stepMs: number; coupling: number };
