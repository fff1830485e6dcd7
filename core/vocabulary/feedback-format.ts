/** Formats of RTCP feedback about congestion, and the lines of an SDP that stand for them. */

/**
 * transport-wide feedback (draft-holmer-rmcat-transport-wide-cc-extensions-01), RFC 8888 ("ccfb" in SDP), or REMB, the
 * receiver's estimate (draft-alvestrand-rmcat-remb-03).
 */
export type FeedbackFormat = 'transport-cc' | 'ccfb' | 'remb';

const lineOf: Readonly<Record<FeedbackFormat, RegExp>> = {
  'transport-cc': /^a=rtcp-fb:\S+ transport-cc\s*$/,
  ccfb: /^a=rtcp-fb:\S+ ack ccfb\s*$/,
  remb: /^a=rtcp-fb:\S+ goog-remb\s*$/,
};

/** Returns true if the line of an SDP offers or accepts the format. */
export const isFeedbackLine = (format: FeedbackFormat, line: string): boolean => lineOf[format].test(line);

/** Returns the formats that an SDP has lines of, in the order of the type. */
export function feedbackIn(sdp: string): FeedbackFormat[] {
  const lines = sdp.split('\n');
  return (Object.keys(lineOf) as FeedbackFormat[]).filter(format => lines.some(line => isFeedbackLine(format, line)));
}
