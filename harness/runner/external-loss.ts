/**
 * Packets that were lost elsewhere than at the bottleneck: a trial with more than a few of them measures something else
 * (Philip et al., SIGCOMM 2024, section 3.1).
 */
import type { Finding } from '../record/trial-file.ts';

/** Counters of two devices are not read at one moment: packets that may be between them. */
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
