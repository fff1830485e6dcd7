/** Packets that the sending end of a tunnel held back, lost and dropped in an interval. */
import type { TunnelRecord } from '../../../record/series/tunnel.ts';

/** A window is full if it has less room than one full packet, bytes. */
const fullPacketBytes = 1500;
/** Longest time between two reports, ms. A report covers the time since the previous one. */
const reportMs = 250;

export type TunnelState = {
  /** Largest number of bytes that waited, in any report of the interval, and the time to send them at the mean rate. */
  queuedBytes: number;
  drainMs: number;
  /** Congestion window if it was full at that moment; null if it was not, or there is none. */
  fullWindowBytes: number | null;
  rttMs: number;
  /** QUIC packets declared lost, and packets of the application that the end dropped. */
  lostPackets: number;
  droppedPackets: number;
  /** True if packets travel in streams, which QUIC retransmits. */
  isStream: boolean;
};

/** `reports`: of the sending end, in chronological order. Null if none covers that time. */
export function tunnelState(reports: readonly TunnelRecord[], fromMs: number, toMs: number): TunnelState | null {
  const first = reports.findLastIndex(({ timeMs }) => timeMs <= fromMs);
  const inside = reports.slice(Math.max(0, first)).filter(({ timeMs }) => timeMs <= toMs + reportMs);
  const [before, after] = [inside[0], inside.at(-1)];
  if (before === undefined || after === undefined || before === after) return null;
  const most = inside.reduce((a, b) => (b.queuedBytes > a.queuedBytes ? b : a));
  const sentBps = (8000 * (after.sentBytes - before.sentBytes)) / (after.timeMs - before.timeMs);
  const windowBytes = most.congestionWindowBytes;
  return {
    queuedBytes: most.queuedBytes,
    drainMs: most.queuedBytes === 0 ? 0 : sentBps === 0 ? Infinity : (8000 * most.queuedBytes) / sentBps,
    fullWindowBytes: windowBytes !== null && most.bytesInFlight + fullPacketBytes > windowBytes ? windowBytes : null,
    rttMs: most.rttMs,
    lostPackets: after.lostPackets - before.lostPackets,
    droppedPackets: after.droppedPackets - before.droppedPackets,
    isStream: after.streamFramesSent > 0,
  };
}
