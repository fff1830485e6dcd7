/**
 * Offer and answer of forward error correction in SDP: FlexFEC in Chromium's form
 * (draft-ietf-payload-flexible-fec-scheme-03, 5.1; RFC 5956, 4.3).
 */

export const protectionCodec = 'video/flexfec-03';

/** True if the browser offers FlexFEC. Chromium offers FlexFEC with the field trial WebRTC-FlexFEC-03-Advertised. */
export function offersProtection(offerSdp: string): boolean {
  return /^a=rtpmap:\d+ flexfec-03\/90000\s*$/m.test(offerSdp);
}

/**
 * Returns the answer with a line that groups media stream and repair stream, because werift does not write this line.
 */
export function withProtection(answerSdp: string, ssrc: number, protectionSsrc: number): string {
  const cname = new RegExp(`^a=ssrc:${ssrc} cname:(\\S+)`, 'm').exec(answerSdp)![1];
  return `${answerSdp}a=ssrc-group:FEC-FR ${ssrc} ${protectionSsrc}\r\na=ssrc:${protectionSsrc} cname:${cname}\r\n`;
}
