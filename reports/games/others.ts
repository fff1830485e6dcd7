/** What an answer leaves open beside the equilibria that it names. */
import type { GameCaseSummary } from '../../harness/games/summary.ts';

type Answer = NonNullable<GameCaseSummary['answer']>;

const states = (count: number) => (count === 1 ? 'one state stays' : `${count} states stay`);

/** Null where the answer names no equilibrium, or says nothing of other states: a search shows only those it found. */
export function othersWords({ kind, open, isWhole }: Pick<Answer, 'kind' | 'open' | 'isWhole'>): string | null {
  if (kind !== 'equilibrium' && kind !== 'equilibria') return null;
  if (open.length > 0) return `${states(open.length)} open, and may be ${open.length === 1 ? 'one' : 'some'}, too`;
  return isWhole ? 'no other state is one' : null;
}
