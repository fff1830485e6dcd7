/** Series written by the media server. */
import type { PacketLine, ProbeLine, RoundTripRecord, SenderRecord, SentFrameLine } from '../record/series.ts';
import {
  bps,
  bytes,
  cores,
  count,
  type Field,
  type Fields,
  flag,
  frames,
  ms,
  packets,
  type SeriesDescriptions,
  text,
  time,
} from './field.ts';

const sender: Fields<SenderRecord> = {
  timeMs: time('end of the interval'),
  intervalMs: ms('length of the interval'),
  cpuRatio: cores('processor time of the process over the interval'),
  eventLoopDelayMaxMs: ms('longest time that its event loop was kept from its timers'),
  framesEncoded: frames('encoded since the session began'),
  framesSkippedLate: frames('left out since the session began, because the host was late'),
  framesSkippedPacer: frames('left out since the session began, because the pacer was full'),
  framesSkippedPushback: frames('left out since the session began, because the congestion controller wanted fewer'),
  frameLatenessMaxMs: ms('longest lateness of a frame against its schedule'),
  encodeMaxMs: ms('longest time that a frame took to encode'),
  keyFrames: frames('key frames since the session began'),
  sentBytes: bytes('sent since the session began'),
  sentPackets: packets('sent since the session began'),
  retransmissions: packets('sent again since the session began'),
  protectionPackets: packets('of error correction since the session began'),
  nackedPackets: packets('asked for again by the receiver since the session began'),
  pictureLossIndications: count('RTCP picture loss indications since the session began (RFC 4585, 6.3.1)'),
  fullIntraRequests: count('RTCP full intra requests since the session began (RFC 5104, 3.5.1)'),
  malformedRtcp: packets('of RTCP that could not be read since the session began'),
  rateChanges: count("changes of the encoder's rate since the session began"),
  targetBps: bps('target rate of the controller'),
  encoderBps: bps('rate that the encoder was given'),
  rttMs: ms('last round trip by RTCP reports'),
  pacerQueueMaxMs: ms("longest that the pacer's queue would have taken to drain"),
  residentBytes: bytes('memory of the process'),
};

const sentFrames: Fields<SentFrameLine> = {
  frame: count('number of the frame in the session'),
  rtpTimestamp: count('RTP timestamp (90 kHz)'),
  clipFrame: count('number of the frame in the clip'),
  captureMs: time('when it was taken'),
  encodedMs: time('when the encoder was done'),
  firstPacketMs: time('when its first packet left'),
  lastPacketMs: time('when its last packet left'),
  bytes: bytes('encoded size'),
  packets: packets('that it was cut into'),
  key: flag('whether it is a key frame'),
  encoderBps: bps('rate that the encoder was given'),
  skipped: text(
    'why it, and how many after it, were not encoded: "late", "pacer", "ladder" or "pushback"; absent for frames that were encoded',
  ),
  count: frames('left out'),
};

const packetLines: Fields<PacketLine> = {
  sequence: count('transport-wide sequence number, unwrapped'),
  kind: text('media, retransmission, padding or protection (error correction)'),
  rtpSequence: count('RTP sequence number'),
  rtpTimestamp: count('RTP timestamp (90 kHz)'),
  frame: count('number of the frame in the session'),
  sentMs: time('when it left'),
  bytes: bytes('of the RTP packet'),
  payloadBytes: bytes('of its payload'),
  probe: count('probe cluster that it belongs to; not there outside probes'),
  receivedMs: ms(
    "arrival by the receiver's feedback, on a clock whose origin is the browser's own; null where it told none",
  ),
  feedbackMs: time('when the feedback on it came; null where none did'),
};

const probes: Fields<ProbeLine> = {
  timeMs: time('when the controller asked for it'),
  probe: count('number of the probe cluster'),
  rateBps: bps('rate at which it was to be sent'),
  minPackets: packets('that it was to have at least'),
  minBytes: bytes('that it was to have at least'),
  sentPackets: packets('sent for it; fewer than it was to have where nothing was there to send'),
  sentBytes: bytes('sent for it, from the IP header on'),
  receivedPackets: packets('of those that arrived'),
  receivedBytes: bytes('of those that arrived'),
  resultBps: bps(
    'rate that the controller took from it, the last time where it did so several times; null where it took none',
  ),
};

const roundTrips: Fields<RoundTripRecord> = {
  timeMs: time('when it was known'),
  rttMs: ms("round trip; by feedback it contains the receiver's wait for its report"),
  from: text('report (RTCP sender and receiver reports) or feedback (transport-wide)'),
};

/** `controller`: what the lines of the controllers hold. */
export const senderSeries = (controller: Record<string, Field>): SeriesDescriptions => ({
  sender: { title: "The media server's account of itself", pace: 'once a second', fields: sender },
  'frames.sent': { title: 'Frames that the media server sent or skipped', pace: 'each frame', fields: sentFrames },
  packets: { title: 'Packets of the media and what became of them', pace: 'each packet', fields: packetLines },
  controller: {
    title: 'State of the congestion control',
    pace: 'after each feedback, and every 100 ms where none comes',
    fields: controller,
  },
  probes: { title: 'Probes of the congestion control and what they found', pace: 'each probe', fields: probes },
  rtt: { title: 'Round trips seen by the media', pace: 'each report or feedback', fields: roundTrips },
});
