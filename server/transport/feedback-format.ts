/**
 * Chooses the feedback of a session: transport-wide (draft-holmer-rmcat-transport-wide-cc-extensions-01), RFC 8888
 * ("ccfb" in SDP), or REMB, the receiver's estimate (draft-alvestrand-rmcat-remb-03). An SDP answer never has two of
 * these formats (RFC 8888, section 6).
 *
 * Chromium offers ccfb only with the field trial WebRTC-RFC8888CongestionControlFeedback, in addition to transport-cc.
 * The RFC has one line for all payload types, with a wildcard; libwebrtc now writes one line per payload type
 * (pc/webrtc_sdp.cc, 2026). The answer must have the form of the offer. werift keeps lines of payload types, but turns
 * a wildcard line into lines of payload types; this file restores the wildcard.
 *
 * A browser sends REMB for packets with a send time and no transport-wide number (libwebrtc 2026-08,
 * modules/congestion_controller/receive_side_congestion_controller.cc), so the answer must leave out that number.
 */
import { CoexistError } from '../../core/errors.ts';
import { type FeedbackFormat, isFeedbackLine } from '../../core/vocabulary/feedback-format.ts';
import { extensionUri } from '../rtp/header-extensions.ts';

const wildcardLine = 'a=rtcp-fb:* ack ccfb';
const isWildcard = (line: string) => line.trimEnd() === wildcardLine;
const isCcfb = (line: string) => isFeedbackLine('ccfb', line);
const isTransportCc = (line: string) => isFeedbackLine('transport-cc', line);
const isRemb = (line: string) => isFeedbackLine('remb', line);
const isTransportSequence = (line: string) => line.includes(extensionUri.transportSequence);
const linesOf = (sdp: string) => sdp.split(/(?<=\n)/);

/**
 * Returns the format to use: the wanted one, or ccfb in place of transport-cc if the offer has only ccfb. Throws
 * `usage` if the offer has neither the wanted format nor this replacement.
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

/** Returns the offer without the lines that an answer with this format must not accept. */
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

/** Returns the answer. If the offer has the wildcard line and the format is ccfb, the answer gets the wildcard line. */
export function answerFor(format: FeedbackFormat, offerSdp: string, answerSdp: string): string {
  if (format !== 'ccfb' || !linesOf(offerSdp).some(isWildcard)) return answerSdp;
  return answerSdp.replace(/^a=rtpmap:/m, `${wildcardLine}\r\na=rtpmap:`);
}
