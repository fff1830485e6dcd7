/** Result of judging one part of a gap. */
import type { Cause } from '../../../../core/vocabulary/stalls.ts';

/** A cause, and a sentence with the numbers that support it. */
export type Finding = { cause: Cause; evidence: string };
