/** A trial as one bottleneck of its link saw it: the same file, with the link, counters and log of that bottleneck. */
import { hopsOf, type Place } from '../../core/vocabulary/hops.ts';
import { inDirection } from '../../core/vocabulary/link.ts';
import type { BottleneckReading, TrialFile } from './trial-file.ts';

/** Returns the counters of a bottleneck; null if they were not read. */
function readingAt({ timeMs, further, ...first }: BottleneckReading, { hop, direction }: Place) {
  const own = hop === 1 ? first : further![hop - 2]!;
  if (direction === 'down') return { timeMs, ...own };
  // losses at random are counted for both directions together
  return own.up == null ? null : { timeMs, ...own.up, randomLoss: [] };
}

/**
 * Returns the file of a trial as seen by a bottleneck of its link. That of a bottleneck from the clients has no queue
 * log: the log of a hop holds the packets of both directions.
 */
export function fileAt(file: TrialFile, place: Place): TrialFile {
  const { condition, bottleneck, queueLog } = file;
  const { hop, direction } = place;
  const before = bottleneck === null ? null : readingAt(bottleneck.before, place);
  const after = bottleneck === null ? null : readingAt(bottleneck.after, place);
  return {
    ...file,
    condition: { ...condition, link: inDirection(hopsOf(condition.link)[hop - 1]!, direction) },
    bottleneck: before === null || after === null ? null : { before, after },
    queueLog: direction === 'up' ? null : hop === 1 ? queueLog : (queueLog?.further?.[hop - 2] ?? null),
  };
}
