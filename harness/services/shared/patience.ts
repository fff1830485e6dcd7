/**
 * How long a service waits for its beginning over the link. The usual times have room for a link of the Internet; a
 * study may set a base round-trip time of many seconds, of which a page and a call need several in a row.
 */
import type { TrialContext } from '../service.ts';

/** Round trips that come one after the other, with as many again for packets that are lost. */
const roundTrips = {
  /** TCP, the page, what it loads. */
  page: 10,
  /** Signalling, connectivity checks, DTLS, the first frame and its repair. */
  firstFrame: 20,
  /** TCP or QUIC with TLS, the request. */
  firstBytes: 10,
} as const;

/** `usualMs`: what is waited on a link without added delay. */
export const patienceMs = (
  usualMs: number,
  { baseRttMs = 0 }: Pick<TrialContext, 'baseRttMs'>,
  trips: keyof typeof roundTrips,
): number => usualMs + roundTrips[trips] * baseRttMs;
