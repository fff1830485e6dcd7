/**
 * Judges gaps whose cause lies in the application's tunnel: packets waited at its sending end, were retransmitted or
 * were dropped.
 */
import { counted } from '../../../../core/text/counted.ts';
import type { Delay } from './evidence.ts';
import type { Finding } from './finding.ts';
import { ms } from './sentences.ts';
import type { Surroundings } from './surroundings.ts';

/** Waiting packets explain a gap if the time to send them is at least this share of the added time. */
const enough = 0.5;
const kilobytes = (bytes: number) => `${(bytes / 1000).toFixed(1)} kB`;

/**
 * Returns a finding that packets waited or were retransmitted in the tunnel while what the receiver waited for was in
 * flight; null if these packets do not explain the gap. `late`: words on what was late by `addedMs`.
 */
export function tunnelDelay(
  surroundings: Surroundings,
  { fromMs, toMs }: Delay['gap'],
  addedMs: number,
  late: string,
): (Finding & { cause: 'tunnel-queue' | 'tunnel-window' | 'tunnel-recovery' }) | null {
  const state = surroundings.tunnel(fromMs, toMs);
  if (state === null) return null;
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
 * Returns a finding that the tunnel dropped packets while the lost ones were sent; null if the tunnel dropped none, or
 * if there is no tunnel. `words`: on the lost packets.
 */
export function tunnelDrop(
  surroundings: Surroundings,
  { fromMs, toMs }: Delay['gap'],
  words: string,
): (Finding & { cause: 'tunnel-queue' }) | null {
  const state = surroundings.tunnel(fromMs, toMs);
  if (state === null || state.droppedPackets === 0) return null;
  return {
    cause: 'tunnel-queue',
    evidence: `${words}; the tunnel's sending end dropped ${counted(state.droppedPackets, 'packet')} because its buffer was full`,
  };
}
