/**
 * Drop law: the rule by which a queue discipline drops packets that cannot be marked. The preflight
 * (shaper/calibrate/laws) uses it to measure a link without triggering the discipline, and to verify the discipline by
 * its drops.
 */
export type DropLaw =
  /** Drops packets only when the queue limit is reached. */
  | { kind: 'tail' }
  /**
   * CoDel (RFC 8289): drops the packet at the head once packets have waited longer than the target for a whole
   * interval. Drops nothing while at most `sparedBytes` wait behind the head.
   */
  | { kind: 'codel'; targetMs: number; intervalMs: number; sparedBytes: number }
  /**
   * PIE (RFC 8033): drops an arriving packet with a probability that follows the queue delay. All other parameters have
   * the values of the RFC.
   */
  | { kind: 'pie'; targetMs: number; updateMs: number }
  /** DualPI2 (RFC 9332): drops with probability p^2, and marks L4S traffic with probability `coupling` times p. */
  | { kind: 'dualpi2'; targetMs: number; updateMs: number; stepMs: number; coupling: number };
