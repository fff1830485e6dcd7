/**
 * Which feedback a session goes by: transport-wide (draft-holmer-rmcat-transport-wide-cc-extensions-01),
 * that of RFC 8888, "ccfb" in SDP, or the receiver's own estimate, REMB (draft-alvestrand-rmcat-remb-03). An answer
 * never has two of them (RFC 8888, section 6).
 *
 * Chromium offers ccfb only with the field trial WebRTC-RFC8888CongestionControlFeedback, beside transport-cc.
 * The RFC names it once, for all payload types by a wildcard; libwebrtc has come to name it for each payload
 * type (pc/webrtc_sdp.cc, 2026). The answer is in the offer's form. werift answers feedback of payload types
 * as it was offered, and makes such of the wildcard; so that line is handled here.
 *
 * A browser sends REMB for packets that carry their sending time and no transport-wide number (libwebrtc 2026-08,
 * modules/congestion_controller/receive_side_congestion_controller.cc), so that number must not be agreed on.
 */
import { CoexistError } from '../../core/errors.ts';
import { extensionUri } from '../rtp/header-extensions.ts';

export type FeedbackFormat = 'transport-cc' | 'ccfb' | 'remb';

const wildcardLine = 'a=rtcp-fb:* ack ccfb';
const isWildcard = (line: string) => line.trimEnd() === wildcardLine;
const isCcfb = (line: string) => /^a=rtcp-fb:\S+ ack ccfb\s*$/.test(line);
const isTransportCc = (line: string) => /^a=rtcp-fb:\S+ transport-cc\s*$/.test(line);
const isRemb = (line: string) => /^a=rtcp-fb:\S+ goog-remb\s*$/.test(line);
const isTransportSequence = (line: string) => line.includes(extensionUri.transportSequence);
const linesOf = (sdp: string) => sdp.split(/(?<=\n)/);

/**
 * What was asked for; or ccfb where no other report of arrivals is offered. Throws `usage` where what is wanted is not
 * offered, nor anything in its place.
 */
export function chooseFeedback(offerSdp: string, wanted: FeedbackFormat): FeedbackFormat {
  const lines = linesOf(offerSdp);
  if (wanted === 'remb') {
    if (lines.some(isRemb) && lines.some(line => line.includes(extensionUri.absoluteSendTime))) return wanted;
    throw new CoexistError(
      'usage',
      'the browser offers no REMB with absolute send times, which the controller goes by',
    );
  }
  if (lines.some(isCcfb)) return wanted === 'ccfb' || !lines.some(isTransportCc) ? 'ccfb' : 'transport-cc';
  if (wanted === 'transport-cc') {
    if (lines.some(isTransportCc)) return wanted;
    throw new CoexistError(
      'usage',
      'the browser offers neither transport-wide feedback nor that of RFC 8888, one of which the controller goes by',
    );
  }
  throw new CoexistError('usage', 'the browser offers no feedback by RFC 8888', {
    hint: 'Chromium does with --force-fieldtrials=WebRTC-RFC8888CongestionControlFeedback/Enabled,offer:true/',
  });
}

/** The offer without what an answer with this format must not take up. */
export function offerFor(format: FeedbackFormat, offerSdp: string): string {
  const unwanted: Record<FeedbackFormat, readonly ((line: string) => boolean)[]> = {
    'transport-cc': [isCcfb, isRemb],
    ccfb: [isWildcard, isTransportCc, isTransportSequence, isRemb],
    remb: [isCcfb, isTransportCc, isTransportSequence],
  };
  return linesOf(offerSdp)
    .filter(line => !unwanted[format].some(is => is(line)))
    .join('');
}

/** The answer with the wildcard, where that was offered and is agreed on. */
export function answerFor(format: FeedbackFormat, offerSdp: string, answerSdp: string): string {
  if (format !== 'ccfb' || !linesOf(offerSdp).some(isWildcard)) return answerSdp;
  return answerSdp.replace(/^a=rtpmap:/m, `${wildcardLine}\r\na=rtpmap:`);
}
