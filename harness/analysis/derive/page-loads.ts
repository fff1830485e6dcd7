/** Page loads of a service that loads pages repeatedly, from the service's own reports. */
import { censoredMedian } from '../../../core/stats/censored-median.ts';
import type { ServiceRecord } from '../../record/series/service.ts';
import type { Window } from '../../record/trial-record.ts';

/** Medians in ms, and the share of failed loads; each is null if the service does not report it. */
type PageLoads = { 'load-event': number | null; 'page-load': number | null; 'failed-loads': number | null };

export const pageLoadQuantities = [
  { id: 'load-event', title: 'Load event of the page, median', unit: 'ms', better: 'lower' },
  { id: 'page-load', title: 'Page load (95 % above the fold), median', unit: 'ms', better: 'lower' },
  { id: 'failed-loads', title: 'Page loads that failed, of those begun', unit: 'ratio', better: 'lower' },
] as const;

/**
 * Returns the values over the page loads that began in the window, however long they took, and over a load that was in
 * progress during all of the window. A load that was cut off by the end of the trial counts as longer than it had taken
 * until then. A failed load counts as longer than any other.
 */
export function pageLoads(records: readonly ServiceRecord[], { startMs, endMs }: Window): PageLoads {
  const all = records.filter(record => record.kind === 'load');
  const begun = all
    .map(load => ({ ...load, beganMs: load.startMs ?? load.timeMs - (load.loadMs ?? 0) }))
    .filter(({ beganMs, timeMs }) => beganMs <= endMs && (beganMs >= startMs || timeMs >= endMs));
  const longestMs = Math.max(0, ...begun.map(({ timeMs, beganMs }) => timeMs - beganMs));
  const middle = (of: 'loadMs' | 'aboveTheFoldMs') => {
    if (of === 'aboveTheFoldMs' && all.every(load => load[of] === null)) return null; // the service does not measure it
    return (
      censoredMedian(
        begun.flatMap(load => {
          const took = load[of];
          if (took !== null) return { value: took, isOver: true };
          if (load.loadMs !== null) return []; // the page was loaded, but nothing of it was visible
          return { value: load.isCutOff === true ? load.timeMs - load.beganMs : longestMs, isOver: false };
        }),
      ) ?? null
    );
  };
  const failed = begun.filter(({ loadMs, isCutOff }) => loadMs === null && isCutOff !== true).length;
  return {
    'load-event': middle('loadMs'),
    'page-load': middle('aboveTheFoldMs'),
    'failed-loads': begun.length === 0 ? null : failed / begun.length,
  };
}
