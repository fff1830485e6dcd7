/** Writes payloads with redundant audio (RFC 2198, section 3): earlier frames are repeated before the new one. */

/** An encoded frame of audio. */
export type AudioFrame = { rtpTimestamp: number; payload: Buffer };

/** Largest offset of a repeated frame in units of the RTP clock, and largest size of it, bytes: 14 and 10 bits. */
const [mostOffset, mostBytes] = [2 ** 14 - 1, 2 ** 10 - 1];

/**
 * Returns the payload. `earlier`: frames to repeat, oldest first; those that are too old or too large are left out.
 * `payloadType`: that of the frames.
 */
export function redPayload(frame: AudioFrame, earlier: readonly AudioFrame[], payloadType: number): Buffer {
  const offsetOf = (old: AudioFrame) => (frame.rtpTimestamp - old.rtpTimestamp) >>> 0;
  const repeated = earlier.filter(old => offsetOf(old) <= mostOffset && old.payload.length <= mostBytes);
  const headers = repeated.map(old => {
    const header = Buffer.alloc(4);
    header.writeUInt32BE(((0x80 | payloadType) * 2 ** 24 + offsetOf(old) * 2 ** 10 + old.payload.length) >>> 0, 0);
    return header;
  });
  return Buffer.concat([...headers, Buffer.of(payloadType), ...repeated.map(({ payload }) => payload), frame.payload]);
}
