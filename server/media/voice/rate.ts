/** Rate of a voice on the wire, before it is measured. */

/**
 * Headers of a packet of voice, bytes: IPv4 and UDP 28, RTP 12, extensions 12, tag of SRTP 16. A redundant frame has a
 * header of four bytes more, and RED one byte for the newest frame.
 */
const headerBytes = 68;

/** Returns the rate with the headers of IP, UDP, RTP and SRTP, bit/s. */
export function voiceWireBps({
  bitrateBps,
  red,
  frameMs,
}: {
  bitrateBps: number;
  red: number;
  frameMs: number;
}): number {
  const redBytes = red === 0 ? 0 : 1 + 4 * red;
  return bitrateBps * (1 + red) + ((headerBytes + redBytes) * 8 * 1000) / frameMs;
}
