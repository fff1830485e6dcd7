/** Values of a conformance study that thresholds, claims and the comparison of runs can name. */
import type { Compared } from '../../analysis/compare/compare-runs.ts';
import type { Gated } from '../../analysis/gate/gated.ts';
import type { Quantity } from '../../analysis/metrics/metric.ts';
import type { Results } from '../../analysis/summary/results.ts';
import { specOf } from '../conditions/compared.ts';
import { measures } from './analysis/measures.ts';
import { quantityOf } from './expectation.ts';
import type { ConformancePlan } from './plan.ts';

/** Measures as quantities. */
export const quantitiesOf = (): readonly Quantity[] => measures.map(quantityOf);

export const conformanceGated = (
  { study, source, definition, conditions }: ConformancePlan,
  quantities: readonly Quantity[],
): Gated => ({ study, source, definition, quantities, conditions });

/** Returns the description of a run for the comparison with another. */
export const comparedConformance = (plan: ConformancePlan, results: Results): Compared => ({
  study: plan.study,
  title: plan.title,
  question: plan.question,
  run: plan.run,
  settings: { confidence: plan.confidence },
  conditions: plan.conditions.map(condition => {
    const { id, title } = condition;
    return { id, title, spec: specOf(condition), parties: condition };
  }),
  results,
  headline: ['used-share', 'queue-wait-p95', 'queue-dropped-share', 'time-to-converge'],
  drawn: ['used-share', 'queue-wait-p95'],
});
