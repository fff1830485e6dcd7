/**
 * The closed form of Ware, Mukerjee, Seshan and Sherry, "Modeling BBR's Interactions with Loss-Based Congestion
 * Control" (IMC 2019), for the share of a link that N BBRv1 flows have beside any number of loss-based ones:
 *
 *   p = 1/2 - 1/(2 X) - 4 N / q          loss-based flows' share, not below 0        (equation 9)
 *   probe time = (q/c + 0.2 s + l) d/10  in which BBR sends next to nothing          (equation 11)
 *   share = (1 - p) (d - probe time) / d                                             (equation 10)
 *
 * with q the buffer in packets, X the buffer in BDP, c the capacity, l the base RTT, d the duration. (9) follows from
 * setting the in-flight cap of two estimated BDP equal to what BBR has in the queue and on the path, when its RTT
 * estimate, taken during ProbeRTT, holds the others' queue and 4 N packets. An overlay, never the truth: it assumes one
 * base RTT, a queue that is always full and deep, flows in step, and BBRv1.
 *
 * Equations and their numbers are as in a public reproduction in Python, and the limits (half of the link in a very deep
 * queue over a short path, whatever the number of loss-based flows) as in the first author's article of 2024 about the
 * paper; the paper itself was not at hand.
 */
import type { State } from './analysis/game.ts';
import type { GameCase } from './plan.ts';

/** Bytes of a packet, and how long BBRv1 stays in ProbeRTT at least and how often it goes there, s. */
const packetBytes = 1500;
const probeS = 0.2;
const probeEveryS = 10;

/** 0 to 1; null where the buffer is no more than one BDP, for which the model is not made. */
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

/** Of one strategy's players in a state, of the link; null where the model's assumptions do not hold. */
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
