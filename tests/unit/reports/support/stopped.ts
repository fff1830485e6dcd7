/** Trials whose link stood still. */
import { startMs } from '../../harness/support/record.ts';
import type { Made } from './run.ts';

/** What a trial has in its record with stops of these lengths, a second apart from the first second on. */
export function stopped(...lengthsMs: number[]) {
  const longestMs = Math.max(0, ...lengthsMs);
  const sumMs = lengthsMs.reduce((a, b) => a + b, 0);
  const stops = [{ count: lengthsMs.length, longestMs, sumMs }];
  return {
    change: { queueLog: { records: 1, lostRecords: 0, traffic: [], stops } },
    series: { 'link-stops': lengthsMs.map((lengthMs, i) => ({ timeMs: startMs + 1000 * (i + 1), lengthMs })) },
  } satisfies Made;
}
