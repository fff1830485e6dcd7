/** Series tcp.jsonl: TCP connections of an application, at both ends (ss -tin). */
import { z } from '../../../core/schema/schema.ts';
import { bps, bytes, count, mark, ms, packets, text, time, word } from '../schema/fields.ts';
import { type RecordOf, Series } from '../schema/series.ts';

export const tcpSeries = new Series(
  {
    id: 'tcp',
    of: 'application',
    title: 'TCP connections of the application, on both ends (ss -tin)',
    pace: 'once a second',
  },
  z.object({
    timeMs: time('when the socket was read'),
    end: word(['sender', 'receiver'], 'sender or receiver: whose socket it is'),
    port: count('port of the end that connected: names the flow'),
    congestionControl: text('as the kernel names it'),
    bytesSent: bytes('sent so far, retransmissions too').exactOptional(),
    bytesAcked: bytes('acknowledged so far').exactOptional(),
    bytesRetransmitted: bytes('sent again so far').exactOptional(),
    bytesReceived: bytes('that the receiver has taken so far').exactOptional(),
    rttMs: ms('smoothed round trip').exactOptional(),
    minRttMs: ms('shortest round trip').exactOptional(),
    congestionWindowPackets: packets('congestion window').exactOptional(),
    pacingBps: bps('pacing rate').exactOptional(),
    deliveryBps: bps('delivery rate').exactOptional(),
    /** Bandwidth estimate of BBRv1. Missing for other congestion controls, and in records of older versions. */
    bandwidthBps: bps("BBRv1's estimate of the bandwidth, of TCP payload; 0 before there is one").exactOptional(),
    lostPackets: packets('that the sender takes to be lost').exactOptional(),
    ecn: mark('there if both ends use ECN').exactOptional(),
    // missing while 0, and in records of older versions
    deliveredCePackets: packets('that the receiver reported as marked with CE so far').exactOptional(),
    busyMs: ms('for which it had data to send so far').exactOptional(),
    receiveWindowLimitedMs: ms("of that, waiting for the receiver's window").exactOptional(),
    sendBufferLimitedMs: ms('of that, waiting for room in its send buffer').exactOptional(),
  }),
);

export type TcpRecord = RecordOf<typeof tcpSeries>;
