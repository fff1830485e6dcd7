/** Number of repeats that the corrected tests of a plan need. */
import { significance } from '../../../core/stats/false-discovery.ts';
import { fewestPairs } from '../../../core/stats/signed-rank.ts';

/** Returns the smallest number of repeats with which one of `tests` tests alone can be significant after correction. */
export const repeatsNeeded = (tests: number): number => fewestPairs(significance / tests);
