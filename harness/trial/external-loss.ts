/**
 * Counts packets that were lost outside of the bottleneck. A trial with more than a few such losses does not measure
 * the bottleneck (Philip et al., SIGCOMM 2024, section 3.1).
 */
import type { Link } from '../../core/vocabulary/link.ts';
import type { SenderRecord } from '../record/series/sender.ts';
import type { Finding } from '../record/trial-file.ts';

/**
 * Number of packets that may be in flight between the two places of the counters, which are not read at the same
 * moment.
 */
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

/** Longest time from sending a packet to its arrival at the queue on a path without delay, ms. */
const hostsMs = 1000;

/** Returns the longest time from sending a packet to its arrival at the queue, over all paths, ms. */
export function longestToQueueMs({ paths }: Pick<Link, 'paths'>): number {
  const ofPath = Object.values(paths).map(
    ({ downMs, jitterMs, reorder }) => downMs + jitterMs + (reorder?.delayMs ?? 0),
  );
  return hostsMs + Math.max(0, ...ofPath);
}

/**
 * Finds packets that a media server counts as sent but that never reached the queue, since they were lost before it.
 * `reachedPackets`: media packets of the server in the log of the queue, over the whole trial. `samples`: counters of
 * the server, on its own clock. Only packets sent until `untilMs` count, since later ones may still be on their way.
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
