/** Result of judging the part of the path that added most to a gap. */
import type { Cause } from '../../../../core/vocabulary/stalls.ts';

/** Cause of a gap, and a sentence with the numbers that support this cause. */
export type Finding = { cause: Cause; evidence: string };
