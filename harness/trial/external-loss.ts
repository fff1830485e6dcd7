/**
 * Packets that were lost outside of the bottleneck. A trial with more than a few of them measures something else
 * (Philip et al., SIGCOMM 2024, section 3.1).
 */
import type { Link } from '../../core/vocabulary/link.ts';
import type { SenderRecord } from '../record/series/sender.ts';
import type { Finding } from '../record/trial-file.ts';

/** Packets that may be in flight between two counters, which are not read at the same moment. */
const betweenPackets = 20;

export function externalLossFindings({
  sentPackets,
  receivedPackets,
  mostRatio,
}: {
  sentPackets: number;
  receivedPackets: number;
  mostRatio: number;
}): Finding[] {
  const lost = sentPackets - receivedPackets;
  if (lost <= betweenPackets + mostRatio * sentPackets) return [];
  return [
    {
      kind: 'link',
      status: 'invalid',
      message: `${lost} of ${sentPackets} packets that left the bottleneck never came to a client`,
    },
  ];
}

/** Longest time from sending a packet to its arrival at the queue, without the delays of its path, ms. */
const hostsMs = 1000;

/** Longest time from sending a packet to its arrival at the queue, over all paths, ms. */
export function longestToQueueMs({ paths }: Pick<Link, 'paths'>): number {
  const ofPath = Object.values(paths).map(
    ({ downMs, jitterMs, reorder }) => downMs + jitterMs + (reorder?.delayMs ?? 0),
  );
  return hostsMs + Math.max(0, ...ofPath);
}

/**
 * Finds packets that a media server counts as sent but that never reached the queue; such a server harms its own
 * stream. `reachedPackets`: its media packets in the log of the queue, over the whole trial. `samples`: the server's
 * counters on its own clock. Packets sent until `untilMs` must have arrived.
 */
export function unreachedFindings({
  samples,
  reachedPackets,
  untilMs,
}: {
  samples: readonly Pick<SenderRecord, 'timeMs' | 'sentPackets'>[];
  reachedPackets: number;
  untilMs: number;
}): Finding[] {
  const sentPackets = samples.findLast(({ timeMs }) => timeMs <= untilMs)?.sentPackets ?? 0;
  const missing = sentPackets - reachedPackets;
  if (missing <= betweenPackets) return [];
  return [
    {
      kind: 'failure',
      status: 'invalid',
      message: `${missing} of ${sentPackets} packets that the media server counts as sent never came to the bottleneck`,
    },
  ];
}
