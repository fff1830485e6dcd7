/**
 * Time that the threads of a trial waited for a processor, from which the trial's verdict is judged. If the kernel does
 * not report this time, the delay of a thread that only sleeps is used instead. A sleeping thread also waits for
 * programs over which the trial's threads may have priority.
 */
import { type Limit, hostLimits as limits } from '../../../core/vocabulary/host-limits.ts';
import { type ByPart, longestWaiting, ofEachPart, trialParts } from '../../../core/vocabulary/trial-parts.ts';
import type { HostRecord } from '../../record/series/host.ts';

type Wait = { ms: number; limit: Limit; message: string };

type Reading = Pick<HostRecord, 'threadWaitMaxMs' | 'wakeUpDelayMaxMs'>;

/**
 * Returns the waits of each part of the trial; undefined if the kernel does not report waits. The harness always runs
 * on this machine, so a null for the harness shows that the kernel does not.
 */
const toldBy = ({ threadWaitMaxMs }: Reading): ByPart | undefined =>
  threadWaitMaxMs === undefined || threadWaitMaxMs.harness === null ? undefined : threadWaitMaxMs;

function waitOfThread(waits: ByPart, limit: Limit, when: string): Wait {
  const { part, ms } = longestWaiting(waits) ?? { part: 'other' as const, ms: 0 };
  return {
    ms,
    limit,
    message: `a thread of ${trialParts[part]} waited ${Math.round(ms)} ms for a processor ${when}`,
  };
}

/** Returns the longest wait in the second that a record covers. */
export function waitOf(reading: Reading): Wait {
  const waits = toldBy(reading);
  if (waits !== undefined) return waitOfThread(waits, limits.threadWaitMs, 'within a second');
  const ms = reading.wakeUpDelayMaxMs;
  return {
    ms,
    limit: limits.wakeUpDelayMs,
    message: `a thread that was ready waited ${Math.round(ms)} ms for a processor`,
  };
}

/** Returns the longest wait of all records, and the longest mean wait of a part; empty without records. */
export function waitsOf(host: readonly Reading[]): Wait[] {
  if (host.length === 0) return [];
  const longest = host.map(waitOf).reduce((a, b) => (b.ms > a.ms ? b : a));
  const told = host.map(toldBy).filter(waits => waits !== undefined);
  if (told.length === 0) return [longest];
  const means = ofEachPart(part => {
    const known = told.map(waits => waits[part]).filter(ms => ms !== null);
    return known.length === 0 ? null : known.reduce((a, b) => a + b, 0) / told.length;
  });
  return [longest, waitOfThread(means, limits.threadWaitMeanMs, 'in each second, on average')];
}
