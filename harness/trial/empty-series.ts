/**
 * Finds series that have no records although they must have some. Otherwise a trial would be valid while its values are
 * missing from the tables. A trial with such a series is void, and the finding names the series.
 */
import type { Series } from '../record/schema/series.ts';
import { pingSeries } from '../record/series/ping.ts';
import { queueDelaySeries } from '../record/series/queue-delay.ts';
import type { Finding, TrialFile } from '../record/trial-file.ts';
import type { SeriesWriter } from './series-writer.ts';

/**
 * Shortest `watchedMs` for which an empty series is a finding, ms. Every source writes at least once a second, so
 * within a shorter time it may not have written yet.
 */
const leastMs = 2500;

type Watched = {
  /** File name of the series. */
  file: string;
  records: number;
  /** Time within the window in which the source had to write records, ms. */
  watchedMs: number;
  /** Cause of an empty series, for the message of the finding. */
  means: string;
};

export function emptySeriesFindings(series: readonly Watched[]): Finding[] {
  return series
    .filter(({ records, watchedMs }) => records === 0 && watchedMs >= leastMs)
    .map(({ file, means }) => ({ kind: 'failure', status: 'invalid', message: `${file} is empty: ${means}` }));
}

/** Returns findings about those series of the trial that are written during the whole window. */
export function emptyTrialSeries(
  { queueLog, bottleneck }: Pick<TrialFile, 'queueLog' | 'bottleneck'>,
  written: Pick<SeriesWriter, 'count'>,
  watchedMs: number,
): Finding[] {
  const passed = bottleneck === null ? 0 : bottleneck.after.sentPackets - bottleneck.before.sentPackets;
  const watched = (series: Series, means: string) => ({
    file: series.file,
    records: written.count(series),
    watchedMs,
    means,
  });
  return emptySeriesFindings([
    watched(pingSeries, 'no answer to a ping came in the whole trial, so nothing is known of round trips'),
    ...(queueLog !== null && passed > 0
      ? [watched(queueDelaySeries, 'packets passed the bottleneck, and its log has none of the window')]
      : []),
  ]);
}
