/** Counts packets that the sending end of a tunnel held back, lost or dropped in an interval. */
import type { TunnelRecord } from '../../../record/series/tunnel.ts';

/** Size of a full packet, bytes. A congestion window is full if it has less room than this. */
const fullPacketBytes = 1500;
/** Longest time between two reports of a tunnel's end, ms. A report covers the time since the previous report. */
const reportMs = 250;

export type TunnelState = {
  /**
   * `queuedBytes`: largest number of bytes that waited, in any report of the interval. `drainMs`: time to send these
   * bytes at the mean rate of the interval.
   */
  queuedBytes: number;
  drainMs: number;
  /**
   * Congestion window in the report with the most waiting bytes, if the window was full; null if it was not, or if
   * there is none.
   */
  fullWindowBytes: number | null;
  rttMs: number;
  /**
   * `lostPackets`: packets that QUIC declared lost. `droppedPackets`: packets of the application that the sending end
   * dropped.
   */
  lostPackets: number;
  droppedPackets: number;
  /** True if packets travel in streams, which QUIC retransmits. */
  isStream: boolean;
};

/**
 * Returns the state of the tunnel's sending end in an interval. `reports`: reports of that end, in chronological order.
 * Null if no report covers the interval.
 */
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
