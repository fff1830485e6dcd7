/** What the judgement of a part of a gap says. */
import type { Cause } from '../../../../core/vocabulary/stalls.ts';

/** A cause, and the sentence with the numbers that speak for it. */
export type Finding = { cause: Cause; evidence: string };
