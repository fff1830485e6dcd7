/**
 * What a rate of content is on the link, which counts Ethernet frames (14 bytes of header, no check sequence): caps are
 * declared of content, and are held against what the bottleneck has let through.
 */
import { fullFrameBytes, overheadBytes } from '../../../core/vocabulary/link.ts';

/** Content of a full segment: 1500 bytes less the headers of IPv4 and of TCP with timestamps. */
const segmentBytes = 1448;
const segmentOnLinkBytes = fullFrameBytes({ bytes: 'ethernet' });

/** Of TCP, all segments full; QUIC's packets come within a half per cent of it. */
export function tcpOnLinkBps(contentBps: number): number {
  return (contentBps * segmentOnLinkBytes) / segmentBytes;
}

/** libwebrtc's packets are 1200 bytes of RTP at most, of which the header with the usual extensions takes 24. */
const mediaBytes = 1176;
/** Ethernet, IPv4, UDP, RTP with extensions, SRTP's tag. */
const mediaHeadersBytes = overheadBytes.ethernet + 20 + 8 + 24 + 10;

/** Of a stream of frames over RTP, each in as few packets as it goes into. */
export function rtpOnLinkBps(contentBps: number, framesPerSecond: number): number {
  const packetsPerFrame = Math.ceil(contentBps / 8 / framesPerSecond / mediaBytes);
  return contentBps + packetsPerFrame * framesPerSecond * mediaHeadersBytes * 8;
}
