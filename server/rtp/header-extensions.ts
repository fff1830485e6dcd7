/** RTP header extensions that the sender writes: URIs in SDP, and functions that write the bytes. */

export const extensionUri = {
  /** Stream id (MID) in a bundle (RFC 9143). */
  mid: 'urn:ietf:params:rtp-hdrext:sdes:mid',
  /** Send time in 24 bits: seconds in 6.18 fixed point. */
  absoluteSendTime: 'http://www.webrtc.org/experiments/rtp-hdrext/abs-send-time',
  /** Transport-wide sequence number (draft-holmer-rmcat-transport-wide-cc-extensions-01, section 2). */
  transportSequence: 'http://www.ietf.org/id/draft-holmer-rmcat-transport-wide-cc-extensions-01',
  /** Bounds for the receiver's playout delay: 12 bits each, in steps of 10 ms. */
  playoutDelay: 'http://www.webrtc.org/experiments/rtp-hdrext/playout-delay',
} as const;

export function absoluteSendTime(unixMs: number): Buffer {
  const bytes = Buffer.allocUnsafe(3);
  bytes.writeUIntBE(Math.floor(((unixMs / 1000) % 64) * 2 ** 18), 0, 3);
  return bytes;
}

export function transportSequence(sequence: number): Buffer {
  const bytes = Buffer.allocUnsafe(2);
  bytes.writeUInt16BE(sequence & 0xffff, 0);
  return bytes;
}

export function playoutDelay(minMs: number, maxMs: number): Buffer {
  const bytes = Buffer.allocUnsafe(3);
  bytes.writeUIntBE((Math.round(minMs / 10) << 12) | Math.round(maxMs / 10), 0, 3);
  return bytes;
}

/** Values of a packet's extensions. `playoutDelay`: bytes of that extension; undefined if the packet has none. */
type ExtensionValues = { withMid: boolean; transport: number; nowMs: number; playoutDelay?: Buffer | undefined };

/**
 * Returns the extensions of a packet that leaves at `nowMs` (Unix time) with the transport-wide number `transport`.
 * `extensions`: ids by URI that the receiver accepted; others are left out.
 */
export function extensionsOf(
  { extensions, mid }: { extensions: ReadonlyMap<string, number>; mid: string },
  { withMid, transport, nowMs, playoutDelay: delay }: ExtensionValues,
): { id: number; payload: Buffer }[] {
  const written: { id: number; payload: Buffer }[] = [];
  const add = (uri: string, payload: () => Buffer) => {
    const id = extensions.get(uri);
    if (id !== undefined) written.push({ id, payload: payload() });
  };
  if (withMid) add(extensionUri.mid, () => Buffer.from(mid));
  add(extensionUri.absoluteSendTime, () => absoluteSendTime(nowMs));
  add(extensionUri.transportSequence, () => transportSequence(transport));
  if (delay !== undefined) add(extensionUri.playoutDelay, () => delay);
  return written;
}
