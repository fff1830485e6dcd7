/**
 * Judges gaps whose cause lies in the application's tunnel: packets waited at its sending end, were retransmitted or
 * were dropped.
 */
import { counted } from '../../../../core/text/counted.ts';
import type { Evidence } from './evidence.ts';
import type { Finding } from './finding.ts';
import { ms } from './sentences.ts';

/** Waiting packets explain a gap if the time to send them is at least this share of the added time. */
const enough = 0.5;
const kilobytes = (bytes: number) => `${(bytes / 1000).toFixed(1)} kB`;

/**
 * Returns a finding that packets waited or were retransmitted in the tunnel while a frame was in flight; null if these
 * packets do not explain the gap.
 */
export function tunnelDelay(evidence: Evidence, fromMs: number): Finding | null {
  const { addedMs, blocking, gap, surroundings } = evidence;
  const state = surroundings.tunnel(fromMs, gap.toMs);
  if (state === null) return null;
  const late = `frame ${blocking.next!.frame} took ${ms(addedMs)} longer through the tunnel than the previous frame`;
  if (state.drainMs >= enough * addedMs) {
    const waited = `${late}; ${kilobytes(state.queuedBytes)} waited at the tunnel's sending end`;
    return state.fullWindowBytes === null
      ? { cause: 'tunnel-queue', evidence: `${waited}, with room in its congestion window` }
      : {
          cause: 'tunnel-window',
          evidence:
            `${waited}, whose congestion window of ${kilobytes(state.fullWindowBytes)} was full at a round-trip time ` +
            `of ${ms(state.rttMs)}`,
        };
  }
  if (state.isStream && state.lostPackets > 0)
    return {
      cause: 'tunnel-recovery',
      evidence:
        `${late}; the tunnel took ${counted(state.lostPackets, 'packet')} to be lost and sent their streams again, ` +
        `at a round-trip time of ${ms(state.rttMs)}`,
    };
  return null;
}

/**
 * Returns a finding that the tunnel dropped packets while a frame was sent; null if the tunnel dropped none, or if
 * there is no tunnel.
 */
export function tunnelDrop(evidence: Evidence, words: string, fromMs: number): Finding | null {
  const { gap, surroundings } = evidence;
  const state = surroundings.tunnel(fromMs, gap.toMs);
  if (state === null || state.droppedPackets === 0) return null;
  return {
    cause: 'tunnel-queue',
    evidence: `${words}; the tunnel's sending end dropped ${counted(state.droppedPackets, 'packet')} because its buffer was full`,
  };
}
