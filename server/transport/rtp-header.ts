/** Writes RTP packets (RFC 3550, 5.1; RFC 8285, 4.2) with werift. */
import { RtpHeader, RtpPacket } from 'werift';
import type { RtpFields } from './connection.ts';

export function rtpHeader({ sequence, extensions, padding, ...fields }: RtpFields): RtpHeader {
  return new RtpHeader({
    ...fields,
    sequenceNumber: sequence,
    padding: padding === true,
    extension: extensions.length > 0,
    extensions,
  });
}

/** Returns the bytes of an RTP packet before encryption. */
export function rtpBytes(fields: RtpFields, payload: Buffer): Buffer {
  return new RtpPacket(rtpHeader(fields), payload).serialize();
}
