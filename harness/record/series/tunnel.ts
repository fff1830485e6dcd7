/** Series tunnel.jsonl: counters of both ends of an application's tunnel. */
import { z } from '../../../core/schema/schema.ts';
import { bps, bytes, count, ms, packets, time, word } from '../schema/fields.ts';
import { type RecordOf, Series } from '../schema/series.ts';

const told = z.object({
  timeMs: time('when it was so'),
  congestionWindowBytes: bytes('congestion window; null where nothing limits the sender').nullable(),
  bytesInFlight: bytes('in flight'),
  rttMs: ms('smoothed round trip'),
  minRttMs: ms('shortest round trip; null where the stack does not tell').nullable(),
  pacingBps: bps('pacing rate; null where the stack does not tell').nullable(),
  bandwidthEstimateBps: bps('estimate of the bandwidth by the congestion control; null where it has none').nullable(),
  deliveryBps: bps('acknowledged since the report before; null where the stack does not tell').nullable(),
  sentBytes: bytes('of the UDP datagrams sent so far'),
  sentPackets: packets('of QUIC sent so far'),
  lostPackets: packets('of QUIC that the sender has taken to be lost so far'),
  lostBytes: bytes('of those'),
  ackedBytes: bytes('acknowledged so far; null where the stack does not tell').nullable(),
  receivedBytes: bytes('of the UDP datagrams received so far'),
  congestionEvents: count('congestion events so far'),
  spuriousCongestionEvents: count('of those, after which the packet turned out to have come'),
  datagramFramesSent: count('DATAGRAM frames sent so far'),
  streamFramesSent: count('STREAM frames sent so far, those sent again too'),
  queuedBytes: bytes('of payload that wait for their first transmission, in stream mode for any'),
  packetsIn: packets('of the application that came to this end so far'),
  bytesIn: bytes('of payload in those'),
  tooLargePackets: packets('of those that were too large for the tunnel'),
  droppedPackets: packets('of those dropped because the send buffer was full'),
  refusedPackets: packets('of those that came from more addresses than there are flows'),
  packetsOut: packets('given to the application so far'),
  bytesOut: bytes('of payload in those'),
  undeliveredPackets: packets("that the application's socket did not take"),
  badFrames: count('that came through the tunnel and were no packet of a known flow'),
  flows: count("addresses that have sent to the client's end"),
  cpuMs: ms('of processor time of the program so far').nullable(),
});

/** Counters of the tunnel, which start at 0 when the tunnel starts. */
export const tunnelSeries = new Series(
  {
    id: 'tunnel',
    of: 'application',
    title: "Both ends of the application's tunnel",
    pace: 'five a second of each end',
  },
  told.extend({ end: word(['server', 'client'], "server or client: whose end, the server's or the client's") }),
);

export type TunnelRecord = RecordOf<typeof tunnelSeries>;
