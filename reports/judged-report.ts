/** Thresholds and claims in the report of a study of any kind. */
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
