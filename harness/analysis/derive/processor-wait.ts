/**
 * How long the trial's own threads waited for a processor, as it is judged. Where the kernel does not tell, a thread
 * that only sleeps stands for them: it waits behind programs that the trial's threads may take precedence over.
 */
import { type Limit, hostLimits as limits } from '../../../core/vocabulary/host-limits.ts';
import { type ByPart, longestWaiting, ofEachPart, trialParts } from '../../../core/vocabulary/trial-parts.ts';
import type { HostRecord } from '../../record/series/host.ts';

type Wait = { ms: number; limit: Limit; message: string };

type Reading = Pick<HostRecord, 'threadWaitMaxMs' | 'wakeUpDelayMaxMs'>;

/** Undefined where the kernel does not tell: the harness is always on this machine. */
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

/** In the second of one record. */
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

/** The longest of all records, and the mean of those that tell; empty where there is none. */
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
