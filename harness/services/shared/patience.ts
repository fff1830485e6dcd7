/**
 * Computes how long a service waits for its beginning over the link. The usual times suffice for a link of the
 * Internet. A study may set a base round-trip time of many seconds, and a page or a call needs several round trips.
 */
import type { TrialContext } from '../service.ts';

/** Number of sequential round trips until each event, doubled because packets may be lost. */
const roundTrips = {
  /** The page is loaded: TCP, the page, and the files that it loads. */
  page: 10,
  /** The first frame is shown: signalling, connectivity checks, DTLS, the first frame and its repair. */
  firstFrame: 20,
  /** The first bytes arrive: TCP or QUIC with TLS, the request. */
  firstBytes: 10,
} as const;

/** Returns the longest wait for an event, ms. `usualMs`: longest wait on a link without added delay, ms. */
export const patienceMs = (
  usualMs: number,
  { baseRttMs = 0 }: Pick<TrialContext, 'baseRttMs'>,
  trips: keyof typeof roundTrips,
): number => usualMs + roundTrips[trips] * baseRttMs;
