/**
 * Time for which a service waits for its beginning over the link. The usual times suffice for a link of the Internet. A
 * study may set a base round-trip time of many seconds, and a page or a call needs several round trips.
 */
import type { TrialContext } from '../service.ts';

/** Sequential round trips, doubled for lost packets. */
const roundTrips = {
  /** TCP, the page, and the files that it loads. */
  page: 10,
  /** Signalling, connectivity checks, DTLS, the first frame and its repair. */
  firstFrame: 20,
  /** TCP or QUIC with TLS, the request. */
  firstBytes: 10,
} as const;

/** `usualMs`: time on a link without added delay. */
export const patienceMs = (
  usualMs: number,
  { baseRttMs = 0 }: Pick<TrialContext, 'baseRttMs'>,
  trips: keyof typeof roundTrips,
): number => usualMs + roundTrips[trips] * baseRttMs;
