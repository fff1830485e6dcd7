/** Reads the packet counters of the bottleneck of a trial, in both directions. */
import type { Clock } from '../../core/system/clock.ts';
import type { ShapedLink } from '../../shaper/backend/shaped-link.ts';
import { queueSeries } from '../record/series/queue.ts';
import type { BottleneckReading } from '../record/trial-file.ts';
import type { SeriesWriter } from './series-writer.ts';

/** Reads the counters once, writes them into a series of the trial and returns them. */
export async function readBottleneck(
  shapedLink: Pick<ShapedLink, 'counters'>,
  series: SeriesWriter,
  clock: Clock,
): Promise<BottleneckReading> {
  const { sentBytes, sentPackets, droppedPackets, backlogBytes, backlogPackets, up, loss } =
    await shapedLink.counters();
  const common = { timeMs: clock.nowMs(), sentBytes, sentPackets, droppedPackets, backlogPackets };
  series.write(queueSeries, {
    ...common,
    backlogBytes,
    lostPackets: loss.reduce((sum, flow) => sum + flow.lostPackets, 0),
  });
  return {
    ...common,
    up:
      up === null
        ? null
        : {
            sentBytes: up.sentBytes,
            sentPackets: up.sentPackets,
            droppedPackets: up.droppedPackets,
            backlogPackets: up.backlogPackets,
          },
    randomLoss: loss.map(({ source, protocol, packets, bytes, lostPackets }) => ({
      source,
      protocol,
      packets,
      bytes,
      lostPackets,
    })),
  };
}
