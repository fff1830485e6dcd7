/** What an answer leaves open beside the equilibria that it names. */
import type { GameCaseSummary } from '../../harness/games/summary.ts';

type Answer = NonNullable<GameCaseSummary['answer']>;

/** Null where the answer names no equilibrium, or says nothing of other states: a search shows only those it found. */
export function othersWords({ kind, open, scope }: Pick<Answer, 'kind' | 'open' | 'scope'>): string | null {
  if (kind !== 'equilibrium' && kind !== 'equilibria') return null;
  if (open.length === 1) return 'one other state is still open and may be an equilibrium, too';
  if (open.length > 1) return `${open.length} other states are still open and may be equilibria, too`;
  return scope === 'every' ? 'no other state is one' : null;
}
