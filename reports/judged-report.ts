/** Thresholds and claims in the report of a study of any kind: their data, and the words for verdicts. */
import type { Judgement } from '../core/vocabulary/estimate.ts';
import type { Judged } from '../harness/analysis/gate/gate.ts';
import type { Quantity } from '../harness/analysis/metrics/metric.ts';
import type { Condition } from '../harness/definition/conditions.ts';

/** Data that the sections on thresholds and claims need. */
export type JudgedReport = {
  judged: Judged & {
    quantities: readonly Quantity[];
    conditions: readonly { id: string; title: string }[];
    /** Applications of the conditions, where the study has a subject. */
    parties: readonly Pick<Condition, 'applications' | 'subject'>[];
  };
};

/** Words for the verdict on a claim of a paper. */
const ofPaper: Readonly<Record<Judgement, string>> = { right: 'reproduced', wrong: 'refuted', undecided: 'undecided' };

/** Returns the word for the verdict on a claim. `isOwn`: true for a claim that no paper has made before. */
export const claimWord = (judgement: Judgement, isOwn: boolean): string =>
  isOwn && judgement === 'right' ? 'confirmed' : ofPaper[judgement];

/** CSS class of a verdict. */
export const judgementClass: Readonly<Record<Judgement, string>> = { right: 'valid', wrong: 'invalid', undecided: '' };
