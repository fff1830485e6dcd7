/** Values that the paper states for conditions of a study. */
import { conditionsMeant } from '../core/vocabulary/condition-name.ts';
import type { Plan } from '../harness/definition/plan.ts';

/**
 * Returns the paper's value of a quantity in a condition. If the paper has none, returns its value for the condition
 * that this condition is a variation of. Undefined if the paper has neither value.
 */
export function publishedValue(
  { definition, conditions }: Pick<Plan, 'definition' | 'conditions'>,
  quantity: string,
  condition: string,
): string | undefined {
  const values = definition.reference?.values[quantity] ?? {};
  const ours = Object.keys(values).filter(asked =>
    conditionsMeant(asked, conditions).some(({ id }) => id === condition),
  );
  const nearest = ours.find(asked => asked === condition) ?? ours[0];
  return nearest === undefined ? undefined : values[nearest];
}
