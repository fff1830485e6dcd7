/**
 * Which feedback a session goes by: transport-wide (draft-holmer-rmcat-transport-wide-cc-extensions-01) or
 * that of RFC 8888, "ccfb" in SDP. An answer never has both (RFC 8888, section 6).
 *
 * Chromium offers ccfb only with the field trial WebRTC-RFC8888CongestionControlFeedback, beside transport-cc.
 * werift writes feedback per payload type, where the RFC wants the wildcard; so that line is handled here.
 */
import { CoexistError } from '../../harness/base/errors.ts';
import { extensionUri } from '../rtp/header-extensions.ts';

export type FeedbackFormat = 'transport-cc' | 'ccfb';

const ccfbLine = 'a=rtcp-fb:* ack ccfb';
const isCcfb = (line: string) => line.trimEnd() === ccfbLine;
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
  const isUnwanted = (line: string) => isCcfb(line) || (format === 'ccfb' && (isTransportCc(line) || line.includes(extensionUri.transportSequence)));
  return linesOf(offerSdp).filter(line => !isUnwanted(line)).join('');
}

/** The answer with its feedback format named. */
export function answerFor(format: FeedbackFormat, answerSdp: string): string {
  return format === 'ccfb' ? answerSdp.replace(/^a=rtpmap:/m, `${ccfbLine}\r\na=rtpmap:`) : answerSdp;
}
