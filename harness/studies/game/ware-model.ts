/**
 * Model of Ware, Mukerjee, Seshan and Sherry, "Modeling BBR's Interactions with Loss-Based Congestion Control"
 * (IMC 2019), for the share of a link that N BBRv1 flows get beside any number of loss-based flows:
 *
 *   p = 1/2 - 1/(2 X) - 4 N / q          loss-based flows' share, not below 0        (equation 9)
 *   probe time = (q/c + 0.2 s + l) d/10  in which BBR sends next to nothing          (equation 11)
 *   share = (1 - p) (d - probe time) / d                                             (equation 10)
 *
 * Here q is the buffer in packets, X the buffer in BDP, c the capacity, l the base RTT, d the duration. Equation 9
 * sets the in-flight cap of two estimated BDP equal to BBR's packets in the queue and on the path. BBR estimates its
 * RTT in ProbeRTT, so the estimate includes the loss-based flows' packets in the queue and 4 N packets. The report
 * shows the model's share next to the measured share and never in place of it, because the model assumes one base RTT,
 * a deep queue that is always full, synchronised flows, and BBRv1.
 *
 * Equations and their numbers are as in a public reproduction in Python. The limits (half of the link in a very deep
 * queue over a short path, whatever the number of loss-based flows) are as in the first author's article of 2024 about
 * the paper. The paper itself was not available.
 */
import type { State } from './analysis/game.ts';
import type { GameCase } from './plan.ts';

/** Size of a packet, bytes; least time that BBRv1 stays in ProbeRTT, s; and interval between two ProbeRTT phases, s. */
const packetBytes = 1500;
const probeS = 0.2;
const probeEveryS = 10;

/**
 * Returns the share of the link that the BBRv1 flows get together, 0 to 1. Null if the buffer is at most one BDP, which
 * the model does not cover.
 */
export function bbrShare({
  rateBps,
  rttMs,
  bufferBytes,
  bbrFlows,
}: {
  rateBps: number;
  rttMs: number;
  bufferBytes: number;
  bbrFlows: number;
}): number | null {
  const [packets, rttS, perSecond] = [bufferBytes / packetBytes, rttMs / 1000, rateBps / 8 / packetBytes];
  const bdps = packets / (perSecond * rttS);
  if (!(bdps > 1)) return null;
  const others = Math.max(0, 1 / 2 - 1 / (2 * bdps) - (4 * bbrFlows) / packets);
  return Math.max(0, (1 - others) * (1 - (packets / perSecond + probeS + rttS) / probeEveryS));
}

/**
 * Returns the share of the link that all players of the BBRv1 strategy get together. Null if the assumptions of the
 * model do not hold.
 */
export function modelShareOf(
  { definition, strategies, link, bufferBdp }: GameCase,
  state: State,
  rttsMs: readonly (number | null)[],
): { strategy: number; share: number } | null {
  const controls = strategies.map(name => {
    const {
      id,
      congestionControl = 'bbr',
      flows = 1,
    } = definition.strategies[name]!.service as { id: string; congestionControl?: string; flows?: number };
    return id === 'iperf' && flows === 1 ? congestionControl : undefined;
  });
  const strategy = controls.indexOf('bbr');
  const [rttMs] = rttsMs;
  const isPlain =
    link.schedule.length === 0 &&
    link.trace === null &&
    link.loss === null &&
    link.aqm.id === 'fifo' &&
    definition.beside === undefined;
  if (strategy < 0 || controls.some((control, k) => k !== strategy && control !== 'cubic' && control !== 'reno'))
    return null;
  if (!isPlain || bufferBdp === null || rttMs == null || rttsMs.some(other => other !== rttMs)) return null;
  const players = (k: number) => state.reduce((sum, counts) => sum + counts[k]!, 0);
  const others = strategies.reduce((sum, _, k) => sum + (k === strategy ? 0 : players(k)), 0);
  if (players(strategy) === 0 || others === 0) return null;
  const share = bbrShare({
    rateBps: link.rateBps,
    rttMs,
    bufferBytes: (bufferBdp * link.rateBps * rttMs) / 8000,
    bbrFlows: players(strategy),
  });
  return share === null ? null : { strategy, share };
}
