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
