/** How a threshold or a published value says which condition it belongs to. */
import { slug } from '../text/slug.ts';

/** Both as in harness/definition/conditions.ts. */
type Named = { id: string; name?: string };

/**
 * Those of the conditions that `asked` means: the one with that id, or all variations of the one with that name in the
 * definition. Never one whose name only begins alike: "slow" does not mean "slow-tcp".
 */
export function conditionsMeant<C extends Named>(asked: string, conditions: readonly C[]): C[] {
  const one = conditions.filter(({ id }) => id === asked);
  if (one.length > 0) return one;
  return conditions.filter(({ name }) => name !== undefined && slug(name) === slug(asked));
}
