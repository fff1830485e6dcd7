/** Reads the packet counters of the bottleneck of a trial, in both directions. */
import type { Clock } from '../../core/system/clock.ts';
import type { LinkCounters } from '../../shaper/backend/backend.ts';
import type { LinkChain } from '../../shaper/backend/link-chain.ts';
import { queueSeries } from '../record/series/queue.ts';
import type { BottleneckReading } from '../record/trial-file.ts';
import type { SeriesWriter } from './series-writer.ts';

/** Reads the counters of all bottlenecks once, writes them into a series of the trial and returns them. */
export async function readBottleneck(
  link: Pick<LinkChain, 'counters'>,
  series: SeriesWriter,
  clock: Clock,
): Promise<BottleneckReading> {
  const { further, ...first } = await link.counters();
  const timeMs = clock.nowMs();
  for (const [k, one] of [first, ...further].entries())
    series.write(queueSeries, { timeMs, ...lineOf(one), ...(k === 0 ? {} : { hop: k + 1 }) });
  return {
    timeMs,
    ...readingOf(first),
    ...(further.length === 0 ? {} : { further: further.map(readingOf) }),
  };
}

function lineOf({ sentBytes, sentPackets, droppedPackets, backlogBytes, backlogPackets, loss }: LinkCounters) {
  const lostPackets = loss.reduce((sum, flow) => sum + flow.lostPackets, 0);
  return { sentBytes, sentPackets, droppedPackets, backlogBytes, backlogPackets, lostPackets };
}

type Counts = Pick<LinkCounters, 'sentBytes' | 'sentPackets' | 'droppedPackets' | 'backlogPackets'>;

const queueOf = ({ sentBytes, sentPackets, droppedPackets, backlogPackets }: Counts) => ({
  sentBytes,
  sentPackets,
  droppedPackets,
  backlogPackets,
});

const readingOf = ({ up, loss, ...down }: LinkCounters) => ({
  ...queueOf(down),
  up: up === null ? null : queueOf(up),
  randomLoss: loss.map(({ source, protocol, packets, bytes, lostPackets }) => ({
    source,
    protocol,
    packets,
    bytes,
    lostPackets,
  })),
});
