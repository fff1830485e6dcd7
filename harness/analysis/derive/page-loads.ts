/** Page loads of a service that loads pages again and again, as it told of them. */
import { censoredMedian } from '../../../core/stats/censored-median.ts';
import type { ServiceRecord } from '../../record/series/service.ts';
import type { Window } from '../../record/trial-record.ts';

/** Medians in ms, and the share of loads that failed; null where the service has none of it. */
type PageLoads = { 'load-event': number | null; 'page-load': number | null; 'failed-loads': number | null };

export const pageLoadQuantities = [
  { id: 'load-event', title: 'Load event of the page, median', unit: 'ms', better: 'lower' },
  { id: 'page-load', title: 'Page load (95 % above the fold), median', unit: 'ms', better: 'lower' },
  { id: 'failed-loads', title: 'Page loads that failed, of those begun', unit: 'ratio', better: 'lower' },
] as const;

/**
 * Of the loads that began in the window, however long they took, or that lasted all of it. A load cut off by the end of
 * the trial counts as longer than it had lasted by then, and a failed one as longer than any.
 */
export function pageLoads(records: readonly ServiceRecord[], { startMs, endMs }: Window): PageLoads {
  const all = records.filter(record => record.kind === 'load');
  const begun = all
    .map(load => ({ ...load, beganMs: load.startMs ?? load.timeMs - (load.loadMs ?? 0) }))
    .filter(({ beganMs, timeMs }) => beganMs <= endMs && (beganMs >= startMs || timeMs >= endMs));
  const longestMs = Math.max(0, ...begun.map(({ timeMs, beganMs }) => timeMs - beganMs));
  const middle = (of: 'loadMs' | 'aboveTheFoldMs') => {
    if (of === 'aboveTheFoldMs' && all.every(load => load[of] === null)) return null; // it is not measured
    return (
      censoredMedian(
        begun.flatMap(load => {
          const took = load[of];
          if (took !== null) return { value: took, isOver: true };
          if (load.loadMs !== null) return []; // it loaded, and nothing of it was seen
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
