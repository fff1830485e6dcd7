/**
 * A series that is empty although something must have been written into it: its values would be missing from every
 * table without a word, in a trial that is called valid. Such a trial is void, and says which one it is.
 */
import type { Finding } from '../record/trial-file.ts';

/** Every source tells at least once a second: what was watched for less may have had no turn. */
const leastMs = 2500;

type Watched = {
  /** File of the series. */
  file: string;
  records: number;
  /** For how long it was to be written within the window. */
  watchedMs: number;
  /** What an empty one means. */
  means: string;
};

export function emptySeriesFindings(series: readonly Watched[]): Finding[] {
  return series
    .filter(({ records, watchedMs }) => records === 0 && watchedMs >= leastMs)
    .map(({ file, means }) => ({ kind: 'failure', status: 'invalid', message: `${file} is empty: ${means}` }));
}
