/** A trial as its further bottleneck saw it: the same file, with the link, counters and log of that bottleneck. */
import { hopsOf } from '../../core/vocabulary/hops.ts';
import type { BottleneckReading, TrialFile } from './trial-file.ts';

/** Returns the file of a trial as seen by the bottleneck at the place `hop` of the row, from 2. */
export function fileAtHop(file: TrialFile, hop: number): TrialFile {
  const { condition, bottleneck, queueLog } = file;
  const at = ({ timeMs, further }: BottleneckReading): BottleneckReading => ({ timeMs, ...further![hop - 2]! });
  return {
    ...file,
    condition: { ...condition, link: hopsOf(condition.link)[hop - 1]! },
    bottleneck: bottleneck === null ? null : { before: at(bottleneck.before), after: at(bottleneck.after) },
    queueLog: queueLog?.further?.[hop - 2] ?? null,
  };
}
