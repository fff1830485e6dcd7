/**
 * Changes to fields of werift that are not part of its interface. No other file uses such fields. Each change throws
 * with the name of the field if the installed werift does not have it; a test makes all changes.
 */
import { createSecretKey } from 'node:crypto';
import type { RTCRtpTransceiver } from 'werift';
import { aeadAes128Gcm } from './srtp-profile.ts';

function replace(owner: object, field: string, property: PropertyDescriptor): void {
  if (!(field in owner))
    throw new Error(
      `this version of werift has no ${owner.constructor.name}.${field}: server/transport/werift-internals.ts uses it`,
    );
  Object.defineProperty(owner, field, property);
}

/**
 * Makes werift offer GCM only, which every browser with WebRTC has. Otherwise werift also offers AES-CM, which Chromium
 * prefers.
 */
export function offerGcmOnly({ dtlsTransport }: RTCRtpTransceiver): void {
  replace(dtlsTransport, 'srtpProfiles', { value: [aeadAes128Gcm] });
}

/**
 * Removes werift's default STUN server. Without a configured STUN server, werift asks Google's server and waits for the
 * answer, up to 5 s on a machine without Internet.
 */
export function askNoStunServer({ dtlsTransport }: RTCRtpTransceiver): void {
  replace(dtlsTransport.iceTransport.connection, 'stunServer', { value: undefined });
}

/**
 * Replaces the session key in werift by a key object, which makes encryption faster. werift keeps the key as a buffer,
 * and Node finds out for each packet, by an exception with a stack trace, that a buffer is no key object: 28 to 36 us
 * per packet of 1200 bytes, against 10 to 13 us with a key object (Node 24.21).
 */
export function useKeyObject({ dtlsTransport }: RTCRtpTransceiver): void {
  const { cipher } = dtlsTransport.srtp.localContext;
  const { srtpSessionKey: key } = cipher;
  replace(cipher, 'srtpSessionKey', { value: Buffer.isBuffer(key) ? createSecretKey(key) : key });
}

/**
 * Round trip that werift reads in its consent checks, s. An answer counts for twice this value plus 200 ms, which is 30
 * s (RFC 7675, section 5.1).
 */
const longestRttS = 14.9;

/**
 * Makes werift accept late answers to consent checks (RFC 7675). Returns a function that aborts the pending checks.
 *
 * werift accepts an answer only within twice the last round trip plus 200 ms, at least 500 ms, and only until the next
 * check 4 to 6 s later. If a queue quickly grows beyond this time, every answer is too late, and werift stops sending
 * media after 30 s. The RFC accepts every answer within 30 s. Therefore werift reads a long round trip here, and a new
 * check does not abort the previous one.
 */
export function takeLateConsent({ dtlsTransport }: RTCRtpTransceiver): () => void {
  const { connection } = dtlsTransport.iceTransport;
  const checks = new Set<AbortController>();
  replace(connection, 'consentRequestAbort', {
    get: () => undefined,
    set: (check: AbortController | undefined) => {
      if (check !== undefined) checks.add(check);
    },
  });
  replace(connection.nominated!, 'rtt', { get: () => longestRttS, set: () => {} });
  return () => {
    for (const check of checks) check.abort();
  };
}

/**
 * Passes every decrypted RTCP packet to `onRtcp`, and an empty packet to werift. Errors of `onRtcp` are thrown again in
 * a microtask, because werift would swallow them.
 */
export function takeRtcp({ dtlsTransport: { srtcp } }: RTCRtpTransceiver, onRtcp: (bytes: Buffer) => void): void {
  const { decrypt } = srtcp;
  replace(srtcp, 'decrypt', {
    value: (bytes: Buffer) => {
      const plain = decrypt(bytes);
      try {
        onRtcp(plain);
      } catch (error) {
        queueMicrotask(() => {
          throw error;
        });
      }
      return Buffer.alloc(0);
    },
  });
}
