/**
 * Packets that were lost elsewhere than at the bottleneck: a trial with more than a few of them measures something else
 * (Philip et al., SIGCOMM 2024, section 3.1).
 */
import type { Link } from '../../core/vocabulary/link.ts';
import type { SenderRecord } from '../record/series/sender.ts';
import type { Finding } from '../record/trial-file.ts';

/** Two counters are not read at one moment: packets that may be between them. */
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

/** A packet is at the queue so long after it was sent at the latest, beside the delays of its path, ms. */
const hostsMs = 1000;

/** Within what time a packet of any sender has come to the queue, ms. */
export function longestToQueueMs({ paths }: Pick<Link, 'paths'>): number {
  const ofPath = Object.values(paths).map(
    ({ downMs, jitterMs, reorder }) => downMs + jitterMs + (reorder?.delayMs ?? 0),
  );
  return hostsMs + Math.max(0, ...ofPath);
}

/**
 * A media server that counts packets as sent which never come to the queue harms its own stream. `reachedPackets`: of
 * its media in the log of the queue, over the whole trial. `samples`: its account until `untilMs`, on its own clock,
 * by which all that it had sent must have come.
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
