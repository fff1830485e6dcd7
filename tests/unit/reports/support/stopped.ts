/** Trials whose link stood still. */
import { startMs } from '../../harness/support/record.ts';
import type { Made } from './run.ts';

/** Record of a trial with stops of these lengths, a second apart, starting in the first second. */
export function stopped(...lengthsMs: number[]) {
  const longestMs = Math.max(0, ...lengthsMs);
  const sumMs = lengthsMs.reduce((a, b) => a + b, 0);
  const stops = [{ count: lengthsMs.length, longestMs, sumMs }];
  return {
    change: { queueLog: { records: 1, lostRecords: 0, traffic: [], stops } },
    series: { 'link-stops': lengthsMs.map((lengthMs, i) => ({ timeMs: startMs + 1000 * (i + 1), lengthMs })) },
  } satisfies Made;
}
