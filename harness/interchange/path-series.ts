/** What the harness reads of the path, the sockets of the services and the machine. */
import type {
  Bbr3Record,
  HostRecord,
  LinkStopRecord,
  MediaQueueRecord,
  PingRecord,
  QueueDelayRecord,
  QueueRecord,
  TcpRecord,
} from '../record/series.ts';
import {
  bps,
  bytes,
  cores,
  count,
  type Fields,
  ms,
  packets,
  percent,
  type SeriesDescription,
  text,
  time,
} from './field.ts';

const ping: Fields<PingRecord> = {
  timeMs: time('when the request was sent'),
  sequence: count('number of the request'),
  rttMs: ms('round trip; null where no answer came'),
};

const tcp: Fields<TcpRecord> = {
  timeMs: time('when the socket was read'),
  end: text('sender or receiver: whose socket it is'),
  port: count('port of the end that connected: names the flow'),
  congestionControl: text('as the kernel names it'),
  bytesSent: bytes('sent so far, retransmissions too'),
  bytesAcked: bytes('acknowledged so far'),
  bytesRetransmitted: bytes('sent again so far'),
  bytesReceived: bytes('that the receiver has taken so far'),
  rttMs: ms('smoothed round trip'),
  minRttMs: ms('shortest round trip'),
  congestionWindowPackets: packets('congestion window'),
  pacingBps: bps('pacing rate'),
  deliveryBps: bps('delivery rate'),
  bandwidthBps: bps("BBRv1's estimate of the bandwidth, of TCP payload; 0 before there is one"),
  lostPackets: packets('that the sender takes to be lost'),
  busyMs: ms('for which it had data to send so far'),
  receiveWindowLimitedMs: ms("of that, waiting for the receiver's window"),
  sendBufferLimitedMs: ms('of that, waiting for room in its send buffer'),
};

const bbr3: Fields<Bbr3Record> = {
  port: count('port of the end that connected: names the flow'),
  kind: text('sample (ten a second) or event'),
  timeMs: time('when it was so'),
  maxBandwidthBps: bps('BBR.max_bw; null before there is one'),
  shortTermBandwidthBps: bps('BBR.bw_shortterm; null for infinite'),
  pacingBps: bps('pacing rate'),
  minRttMs: ms('BBR.min_rtt'),
  congestionWindowPackets: packets('congestion window'),
  inFlightPackets: packets('in flight'),
  longTermInFlightPackets: packets('BBR.inflight_longterm; null for infinite'),
  shortTermInFlightPackets: packets('BBR.inflight_shortterm; null for infinite'),
  rounds: count('round trips so far'),
  deliveredPackets: packets('delivered so far'),
  lostPackets: packets('lost so far, as TCP counts'),
  beginMs: time('when the connection began'),
  state: text('state of the state machine'),
  bandwidthBps: bps('BBR.bw'),
  rttMs: ms('last sample of the round trip'),
  extraAckedPackets: packets('BBR.extra_acked'),
  lossRounds: count('round trips in which something was lost'),
  transitions: count('changes of state so far'),
  probeRttEpisodes: count('visits of ProbeRTT so far'),
  acknowledgments: count('that it has seen'),
  ringHits: count('acknowledgments for which it was known what was in flight when the packet was sent'),
  ringMisses: count('acknowledgments for which it was not'),
  lostPacketsSeen: packets('lost so far, as the congestion control was told'),
  number: count('of the event'),
  event: text('what happened'),
  from: text('state before it'),
  to: text('state after it'),
  pacingGainPercent: percent('pacing gain'),
  probeWaitMs: ms('how long DOWN and CRUISE wait at most'),
};

const queue: Fields<QueueRecord> = {
  timeMs: time('when the counters were read'),
  sentBytes: bytes('that left the bottleneck since the trial began'),
  sentPackets: packets('that left the bottleneck since the trial began'),
  droppedPackets: packets('dropped by the queue since the trial began'),
  backlogBytes: bytes('waiting'),
  backlogPackets: packets('waiting'),
  lostPackets: packets('lost at random since the trial began'),
};

const queueDelay: Fields<QueueDelayRecord> = {
  timeMs: time('middle of the stretch'),
  application: text('whose packets; null where they are of none'),
  direction: text('up: at the bottleneck from the clients; missing at that towards them'),
  protocol: count('IP protocol: 1 ICMP, 6 TCP, 17 UDP'),
  sentPackets: packets('that left in the stretch'),
  sentBytes: bytes('that left in the stretch'),
  markedPackets: packets('that the AQM marked'),
  'droppedPackets.overflow': packets('dropped because the queue was full'),
  'droppedPackets.random-loss': packets('lost at random'),
  'droppedPackets.aqm': packets('dropped by the AQM'),
  'droppedPackets.other': packets('dropped for another reason'),
  delayMedianMs: ms('time in the queue, median of what left'),
  delayMaxMs: ms('time in the queue, longest of what left'),
};

const linkStops: Fields<LinkStopRecord> = {
  timeMs: time('from when the bottleneck stood still'),
  lengthMs: ms('for how long, beyond the own time of the packet that it sent next'),
  direction: text('up: the bottleneck from the clients; missing at that towards them'),
};

/** A packet of a line of queue.media. */
type MediaPacket = {
  timeMs: number;
  payloadType: number;
  sequence: number;
  queuePackets: number;
  sojournMs: number | null;
  dropReason: string | null;
};

const queueMedia: Fields<MediaPacket> = {
  timeMs: time('when the packet came to the queue'),
  payloadType: count(
    'RTP payload type: media, retransmission or error correction, whose sequence numbers are their own',
  ),
  sequence: count('RTP sequence number'),
  queuePackets: packets('of all senders that were in the queue when it came'),
  sojournMs: ms('time in the queue; null where it never left'),
  dropReason: text('overflow, random-loss, aqm or other; null where it left'),
};

/** Lines of queue.media, which hold packets as columns, a packet at a time. */
export function mediaPackets(lines: readonly MediaQueueRecord[]): MediaPacket[] {
  return lines.flatMap(({ timeMs, payloadTypes, sequences, offeredMs, sojournMs, queuePackets, dropped }) => {
    const reasons = new Map(dropped.map(({ index, reason }) => [index, reason]));
    return sequences.map((sequence, i) => ({
      timeMs: timeMs + offeredMs[i]!,
      payloadType: payloadTypes[i]!,
      sequence,
      queuePackets: queuePackets[i]!,
      sojournMs: sojournMs[i]!,
      dropReason: reasons.get(i) ?? null,
    }));
  });
}

const waited = 'waiting for a processor, all threads together: the';
const waitedLongest = 'that the thread which waited longest for a processor did so in that time: the';

const host: Fields<HostRecord> = {
  timeMs: time('end of the interval'),
  cores: cores('that the machine has'),
  busyRatio: cores('of work, 0 to all of them'),
  stealRatio: cores('taken away by the hypervisor'),
  wakeUpDelayMaxMs: ms('longest time that a thread which only sleeps was woken late'),
  harnessDelayMaxMs: ms('longest time that the harness was kept from its timers'),
  'waitRatio.mediaServer': cores(`${waited} media server`),
  'waitRatio.browser': cores(`${waited} browser`),
  'waitRatio.flood': cores(`${waited} flood, both ends`),
  'waitRatio.tunnel': cores(`${waited} tunnel, both ends`),
  'waitRatio.link': cores(`${waited} program that forms the link`),
  'waitRatio.harness': cores(`${waited} harness`),
  'waitRatio.other': cores(`${waited} other programs of the trial`),
  'threadWaitMaxMs.mediaServer': ms(`${waitedLongest} media server`),
  'threadWaitMaxMs.browser': ms(`${waitedLongest} browser`),
  'threadWaitMaxMs.flood': ms(`${waitedLongest} flood, both ends`),
  'threadWaitMaxMs.tunnel': ms(`${waitedLongest} tunnel, both ends`),
  'threadWaitMaxMs.link': ms(`${waitedLongest} program that forms the link`),
  'threadWaitMaxMs.harness': ms(`${waitedLongest} harness`),
  'threadWaitMaxMs.other': ms(`${waitedLongest} other programs of the trial`),
};

export const pathSeries: Record<string, SeriesDescription> = {
  ping: { title: 'ICMP round trips from server to client', pace: 'five a second', fields: ping },
  tcp: { title: 'TCP connections of the application, on both ends (ss -tin)', pace: 'once a second', fields: tcp },
  bbr3: { title: 'Path model of a flow that uses BBRv3', pace: 'ten a second, and each event', fields: bbr3 },
  queue: { title: 'Counters of the bottleneck', pace: 'once a second', fields: queue },
  'queue-delay': {
    title: 'What each application and protocol met at the bottleneck, from the log of every packet',
    pace: '100 ms of the window',
    fields: queueDelay,
  },
  'link-stops': {
    title: 'Times at which the bottleneck stood still although packets waited, from the log of every packet',
    pace: 'each stop of more than 1 ms in the window',
    fields: linkStops,
  },
  'queue.media': {
    title: "What became of each packet of the application's media at the bottleneck",
    pace: 'each packet',
    fields: queueMedia,
  },
  host: { title: 'The machine', pace: 'once a second', fields: host },
};
