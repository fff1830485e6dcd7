/** Finds the conditions that a threshold or a published value names. */
import { slug } from '../text/slug.ts';

/** Condition with its `id` and `name` (harness/definition/conditions.ts). */
type Named = { id: string; name?: string };

/**
 * Returns the condition whose id is `asked`. If none has this id, returns all variations of the condition whose name in
 * the definition is `asked`. Names must match in full: "slow" does not match "slow-tcp".
 */
export function conditionsMeant<C extends Named>(asked: string, conditions: readonly C[]): C[] {
  const one = conditions.filter(({ id }) => id === asked);
  if (one.length > 0) return one;
  return conditions.filter(({ name }) => name !== undefined && slug(name) === slug(asked));
}
