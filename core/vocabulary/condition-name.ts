/** Finds the conditions that a threshold or a published value refers to by name. */
import { slug } from '../text/slug.ts';

/** `id` and `name` as in harness/definition/conditions.ts. */
type Named = { id: string; name?: string };

/**
 * Returns the condition with the id `asked`. If there is none, returns all variations of the condition with that name
 * in the definition. Names must match in full: "slow" does not match "slow-tcp".
 */
export function conditionsMeant<C extends Named>(asked: string, conditions: readonly C[]): C[] {
  const one = conditions.filter(({ id }) => id === asked);
  if (one.length > 0) return one;
  return conditions.filter(({ name }) => name !== undefined && slug(name) === slug(asked));
}
