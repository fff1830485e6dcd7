/** Largest segment (MSS in draft-johansson-ccwg-rfc8298bis-screamv2), bytes. */
export const segmentBytes = 1000;
