/**
 * Which feedback a session goes by: transport-wide (draft-holmer-rmcat-transport-wide-cc-extensions-01) or
 * that of RFC 8888, "ccfb" in SDP. An answer never has both (RFC 8888, section 6).
 *
 * Chromium offers ccfb only with the field trial WebRTC-RFC8888CongestionControlFeedback, beside transport-cc.
 * The RFC names it once, for all payload types by a wildcard; libwebrtc has come to name it for each payload
 * type (pc/webrtc_sdp.cc, 2026). The answer is in the offer's form. werift answers feedback of payload types
 * as it was offered, and makes such of the wildcard; so that line is handled here.
 */
import { CoexistError } from '../../harness/base/errors.ts';
import { extensionUri } from '../rtp/header-extensions.ts';

export type FeedbackFormat = 'transport-cc' | 'ccfb';

const wildcardLine = 'a=rtcp-fb:* ack ccfb';
const isWildcard = (line: string) => line.trimEnd() === wildcardLine;
const isCcfb = (line: string) => /^a=rtcp-fb:\S+ ack ccfb\s*$/.test(line);
const isTransportCc = (line: string) => /^a=rtcp-fb:\S+ transport-cc\s*$/.test(line);
const linesOf = (sdp: string) => sdp.split(/(?<=\n)/);

/** What was asked for; or ccfb where nothing else is offered. Throws `usage` where ccfb is wanted and not offered. */
export function chooseFeedback(offerSdp: string, wanted: FeedbackFormat): FeedbackFormat {
  const lines = linesOf(offerSdp);
  if (lines.some(isCcfb)) return wanted === 'ccfb' || !lines.some(isTransportCc) ? 'ccfb' : 'transport-cc';
  if (wanted === 'transport-cc') return wanted;
  throw new CoexistError('usage', 'the browser offers no feedback by RFC 8888', {
    hint: 'Chromium does with --force-fieldtrials=WebRTC-RFC8888CongestionControlFeedback/Enabled,offer:true/',
  });
}

/** The offer without what an answer with this format must not take up. */
export function offerFor(format: FeedbackFormat, offerSdp: string): string {
  const isUnwanted = format === 'transport-cc' ? isCcfb
    : (line: string) => isWildcard(line) || isTransportCc(line) || line.includes(extensionUri.transportSequence);
  return linesOf(offerSdp).filter(line => !isUnwanted(line)).join('');
}

/** The answer with the wildcard, where that was offered and is agreed on. */
export function answerFor(format: FeedbackFormat, offerSdp: string, answerSdp: string): string {
  if (format !== 'ccfb' || !linesOf(offerSdp).some(isWildcard)) return answerSdp;
  return answerSdp.replace(/^a=rtpmap:/m, `${wildcardLine}\r\na=rtpmap:`);
}
