/** One report of getStats as the harness takes it. */
import type { StatsEntry } from './wire.ts';

/** Its numbers, words and truth values; what is an object itself (qualityLimitationDurations, psnrSum) is left out. */
export function plainEntry(report: object): StatsEntry {
  return Object.fromEntries(
    Object.entries(report).filter(([, value]) => ['number', 'string', 'boolean'].includes(typeof value)),
  );
}
