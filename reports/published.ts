/** What the paper prints, for the condition of a study. */
import { conditionsMeant } from '../core/vocabulary/condition-name.ts';
import type { Plan } from '../harness/definition/plan.ts';

/** A varied condition is compared with what the paper has for it, else with that for the condition that it varies. */
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
