/** A report of an end of a tunnel, made up: of the server's end, with nothing sent. */
import type { TunnelRecord } from '../../../../harness/record/series/tunnel.ts';

export function tunnelReport(timeMs: number, change: Partial<TunnelRecord> = {}): TunnelRecord {
  return {
    timeMs,
    end: 'server',
    congestionWindowBytes: 12_000,
    bytesInFlight: 0,
    rttMs: 20,
    minRttMs: 20,
    pacingBps: null,
    bandwidthEstimateBps: null,
    deliveryBps: null,
    sentBytes: 0,
    sentPackets: 0,
    lostPackets: 0,
    lostBytes: 0,
    ackedBytes: null,
    receivedBytes: 0,
    congestionEvents: 0,
    spuriousCongestionEvents: 0,
    datagramFramesSent: 0,
    streamFramesSent: 0,
    queuedBytes: 0,
    packetsIn: 0,
    bytesIn: 0,
    tooLargePackets: 0,
    droppedPackets: 0,
    refusedPackets: 0,
    packetsOut: 0,
    bytesOut: 0,
    undeliveredPackets: 0,
    badFrames: 0,
    flows: 1,
    cpuMs: 0,
    ...change,
  };
}
