/**
 * Reads compound RTCP packets: receiver reports (RFC 3550, 6.4), generic NACK (RFC 4585, 6.2.1), PLI (6.3.1), FIR (RFC
 * 5104, 4.3.1), REMB (draft-alvestrand-rmcat-remb-03), transport-wide feedback and congestion control feedback (RFC
 * 8888). Other kinds of RTCP packets are skipped. A malformed packet ends the reading and is reported in the result.
 */
import { type CongestionFeedback, readCongestionFeedback } from './congestion-feedback.ts';
import { readTransportFeedback, type TransportFeedback } from './transport-feedback.ts';

export type ReportBlock = {
  ssrc: number;
  /** Share of packets lost since the previous report, 0 to 1. */
  fractionLost: number;
  cumulativeLost: number;
  highestSequence: number;
  /** Interarrival jitter in units of the RTP clock. */
  jitter: number;
  /**
   * Middle 32 bits of the NTP time in the last sender report that the receiver has got; 0 if the receiver has got none.
   */
  lastSenderReport: number;
  /** Time from the arrival of the last sender report to this report, in units of 1/65536 s. */
  delaySinceLastSenderReport: number;
};

/** Bandwidth estimate of the receiver for all streams in `mediaSsrcs` together (REMB). */
type ReceiverEstimate = { kind: 'receiver-estimate'; bitrateBps: number; mediaSsrcs: number[] };

export type RtcpMessage =
  | { kind: 'report'; senderSsrc: number; blocks: ReportBlock[] }
  | { kind: 'transport-feedback'; feedback: TransportFeedback }
  | { kind: 'congestion-feedback'; feedback: CongestionFeedback }
  | { kind: 'nack'; mediaSsrc: number; sequences: number[] }
  | { kind: 'picture-loss'; mediaSsrc: number }
  | { kind: 'full-intra-request'; entries: { ssrc: number; command: number }[] }
  | ReceiverEstimate
  | { kind: 'bye' };

const packetType = {
  senderReport: 200,
  receiverReport: 201,
  bye: 203,
  transportLayer: 205,
  payloadSpecific: 206,
} as const;
const transportFormat = { nack: 1, congestionFeedback: 11, transportFeedback: 15 } as const;
const payloadFormat = { pictureLoss: 1, fullIntraRequest: 4, application: 15 } as const;

/**
 * Result of reading a compound packet. `malformed`: error in the first packet that could not be read; undefined if all
 * packets were read.
 */
type RtcpReading = { messages: RtcpMessage[]; malformed: string | undefined };

export function readRtcp(bytes: Buffer): RtcpReading {
  const messages: RtcpMessage[] = [];
  let offset = 0;
  while (offset < bytes.length) {
    if (offset + 4 > bytes.length) return { messages, malformed: 'header cut short' };
    const first = bytes.readUInt8(offset);
    if (first >> 6 !== 2) return { messages, malformed: `version ${first >> 6}` };
    const end = offset + 4 * (bytes.readUInt16BE(offset + 2) + 1);
    if (end > bytes.length) return { messages, malformed: 'length beyond the packet' };
    const padding = (first & 0x20) === 0 ? 0 : bytes.readUInt8(end - 1);
    if (padding > end - offset - 4) return { messages, malformed: 'padding beyond the packet' };
    const message = readPacket(first & 0x1f, bytes.readUInt8(offset + 1), bytes.subarray(offset + 4, end - padding));
    if (message === 'malformed')
      return { messages, malformed: `body of type ${bytes.readUInt8(offset + 1)}, format ${first & 0x1f}` };
    if (message !== 'other') messages.push(message);
    offset = end;
  }
  return { messages, malformed: undefined };
}

type Read = RtcpMessage | 'other' | 'malformed';

function readPacket(count: number, type: number, body: Buffer): Read {
  switch (type) {
    case packetType.receiverReport:
      return readReport(count, body, 4);
    case packetType.senderReport:
      return readReport(count, body, 24);
    case packetType.bye:
      return { kind: 'bye' };
    case packetType.transportLayer:
      return readTransportLayer(count, body);
    case packetType.payloadSpecific:
      return readPayloadSpecific(count, body);
    default:
      return 'other';
  }
}

const blockBytes = 24;

function readReport(count: number, body: Buffer, blocksAt: number): Read {
  if (body.length < blocksAt + count * blockBytes) return 'malformed';
  const blocks: ReportBlock[] = [];
  for (let at = blocksAt; blocks.length < count; at += blockBytes) {
    blocks.push({
      ssrc: body.readUInt32BE(at),
      fractionLost: body.readUInt8(at + 4) / 256,
      cumulativeLost: body.readIntBE(at + 5, 3),
      highestSequence: body.readUInt32BE(at + 8),
      jitter: body.readUInt32BE(at + 12),
      lastSenderReport: body.readUInt32BE(at + 16),
      delaySinceLastSenderReport: body.readUInt32BE(at + 20),
    });
  }
  return { kind: 'report', senderSsrc: body.readUInt32BE(0), blocks };
}

function readTransportLayer(format: number, body: Buffer): Read {
  if (body.length < 8) return 'malformed';
  if (format === transportFormat.transportFeedback) {
    const feedback = readTransportFeedback(body.subarray(8));
    return feedback === undefined ? 'malformed' : { kind: 'transport-feedback', feedback };
  }
  if (format === transportFormat.congestionFeedback) {
    const feedback = readCongestionFeedback(body.subarray(4)); // each report has its own media SSRC
    return feedback === undefined ? 'malformed' : { kind: 'congestion-feedback', feedback };
  }
  if (format !== transportFormat.nack) return 'other';
  if (body.length % 4 !== 0) return 'malformed';
  const sequences: number[] = [];
  for (let at = 8; at < body.length; at += 4) {
    const first = body.readUInt16BE(at);
    const following = body.readUInt16BE(at + 2);
    sequences.push(first);
    for (let bit = 0; bit < 16; bit++) if (((following >> bit) & 1) === 1) sequences.push((first + bit + 1) & 0xffff);
  }
  return { kind: 'nack', mediaSsrc: body.readUInt32BE(4), sequences };
}

function readPayloadSpecific(format: number, body: Buffer): Read {
  if (body.length < 8) return 'malformed';
  if (format === payloadFormat.pictureLoss) return { kind: 'picture-loss', mediaSsrc: body.readUInt32BE(4) };
  if (format === payloadFormat.fullIntraRequest) {
    if (body.length < 16 || body.length % 8 !== 0) return 'malformed';
    const entries = [];
    for (let at = 8; at < body.length; at += 8)
      entries.push({ ssrc: body.readUInt32BE(at), command: body.readUInt8(at + 4) });
    return { kind: 'full-intra-request', entries };
  }
  if (format !== payloadFormat.application) return 'other';
  if (body.length < 12 || body.toString('latin1', 8, 12) !== 'REMB') return 'other';
  return readReceiverEstimate(body);
}

/** Reads a REMB message after its name: number of streams, rate, SSRCs (draft-alvestrand-rmcat-remb-03, 2.2). */
function readReceiverEstimate(body: Buffer): ReceiverEstimate | 'malformed' {
  if (body.length < 16 || body.length !== 16 + 4 * body.readUInt8(12)) return 'malformed';
  const exponent = body.readUInt8(13) >> 2;
  const mantissa = body.readUIntBE(13, 3) & 0x3ffff;
  const mediaSsrcs: number[] = [];
  for (let at = 16; at < body.length; at += 4) mediaSsrcs.push(body.readUInt32BE(at));
  return { kind: 'receiver-estimate', bitrateBps: mantissa * 2 ** exponent, mediaSsrcs };
}
