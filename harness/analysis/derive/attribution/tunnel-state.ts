/** What the sending end of an application's tunnel held back, lost and dropped between two moments. */
import type { TunnelRecord } from '../../../record/series/tunnel.ts';

/** A window is full where less than one full packet has room in it, bytes. */
const fullPacketBytes = 1500;
/** A report tells of the time since the one before it, which is at most so long, ms. */
const reportMs = 250;

/** The sending end of the tunnel between two moments. */
export type TunnelState = {
  /** Of a stretch between two reports in which the most waited, bytes, and how long the end would need for it. */
  queuedBytes: number;
  drainMs: number;
  /** The window then was full; null: there is none. */
  fullWindowBytes: number | null;
  rttMs: number;
  /** Packets of QUIC taken to be lost, of the application dropped at the end. */
  lostPackets: number;
  droppedPackets: number;
  /** Packets travel in streams, which are sent again. */
  isStream: boolean;
};

/** `reports`: of the sending end, in the order of time. Null where none tells of that time. */
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
