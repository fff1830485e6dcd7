/** Converts an entry of a getStats report to the form that the harness accepts. */
import type { StatsEntry } from './wire.ts';

/**
 * Returns the numbers, strings and booleans of an entry. Values that are objects (qualityLimitationDurations, psnrSum)
 * are left out.
 */
export function plainEntry(report: object): StatsEntry {
  return Object.fromEntries(
    Object.entries(report).filter(([, value]) => ['number', 'string', 'boolean'].includes(typeof value)),
  );
}
