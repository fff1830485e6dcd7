/** Values that the paper states for conditions of a study. */
import { conditionsMeant } from '../core/vocabulary/condition-name.ts';
import type { Plan } from '../harness/definition/plan.ts';
import type { Reference } from '../harness/definition/reference.ts';
import { type Named, nameOf, ofOthers } from './named.ts';

/** Returns the names of all values that the paper states. */
export const publishedNames = ({ values, others }: Reference): Named[] => [
  ...Object.keys(values),
  ...Object.keys(others).map(ofOthers),
];

/**
 * Returns the paper's value in a condition. If the paper has none, returns its value for the condition that this
 * condition is a variation of. Undefined if the paper has neither value.
 */
export function publishedValue(
  reference: Reference | null,
  { conditions }: Pick<Plan, 'conditions'>,
  named: Named,
  condition: string,
): string | undefined {
  const { metric, of } = nameOf(named);
  const values = (of === undefined ? reference?.values : reference?.others)?.[metric] ?? {};
  const ours = Object.keys(values).filter(asked =>
    conditionsMeant(asked, conditions).some(({ id }) => id === condition),
  );
  const nearest = ours.find(asked => asked === condition) ?? ours[0];
  return nearest === undefined ? undefined : values[nearest];
}
