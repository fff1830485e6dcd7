/**
 * Converts rates of content into rates on the link, which counts Ethernet frames (14 bytes of header, no check
 * sequence). Caps are declared for content but compared with bytes that passed the bottleneck.
 */
import { fullFrameBytes, overheadBytes } from '../../../core/vocabulary/link.ts';

/** Content of a full TCP segment, bytes: 1500 less the headers of IPv4 and of TCP with timestamps. */
const segmentBytes = 1448;
const segmentOnLinkBytes = fullFrameBytes({ bytes: 'ethernet' });

/**
 * Returns the rate on the link of TCP with full segments, bit/s. For QUIC the result is correct within half a per cent.
 */
export function tcpOnLinkBps(contentBps: number): number {
  return (contentBps * segmentOnLinkBytes) / segmentBytes;
}

/**
 * Media in a full packet, bytes. libwebrtc's packets have at most 1200 bytes of RTP, of which 24 are the header with
 * the usual extensions.
 */
const mediaBytes = 1176;
/** Headers of a media packet, bytes: Ethernet, IPv4, UDP, RTP with extensions, SRTP's tag. */
const mediaHeadersBytes = overheadBytes.ethernet + 20 + 8 + 24 + 10;

/** Returns the rate on the link of a stream over RTP, bit/s. Each frame takes as few packets as possible. */
export function rtpOnLinkBps(contentBps: number, framesPerSecond: number): number {
  const packetsPerFrame = Math.ceil(contentBps / 8 / framesPerSecond / mediaBytes);
  return contentBps + packetsPerFrame * framesPerSecond * mediaHeadersBytes * 8;
}
