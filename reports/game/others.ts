/**
 * Describes the open part of an answer: further states that may be equilibria, undecided states, and the number of
 * trials that would decide them.
 */
import { counted } from '../../core/text/counted.ts';
import type { GameCaseSummary } from '../../harness/studies/game/summary.ts';
import { mostNamed } from '../format.ts';

type Answer = NonNullable<GameCaseSummary['answer']>;

/**
 * Describes further states that may be equilibria. Null if the answer names neither an equilibrium nor a cycle. Also
 * null for a search, which says nothing about states that it did not visit.
 */
export function othersWords({ kind, open, scope }: Pick<Answer, 'kind' | 'open' | 'scope'>): string | null {
  const isEquilibrium = kind === 'equilibrium' || kind === 'equilibria';
  if (!isEquilibrium && kind !== 'cycle') return null;
  const too = isEquilibrium ? ', too' : '';
  if (open.length === 1) return `one other state is still open and may be an equilibrium${too}`;
  if (open.length > 1) return `${open.length} other states are still open and may be equilibria${too}`;
  return isEquilibrium && scope === 'every' ? 'no other state is one' : null;
}

/** Names the states that an undecided answer leaves open: " at 1cubic_1bbr or 2cubic and 19 more states". */
export function undecidedAt(states: readonly string[]): string {
  if (states.length === 0) return '';
  if (states.length <= mostNamed) return ` at ${states.join(' or ')}`;
  const named = states.slice(0, mostNamed - 1);
  return ` at ${named.join(' or ')} and ${counted(states.length - named.length, 'more state')}`;
}

/**
 * Describes the cycles of an answer: "a cycle: 2a → 1a-1b → 2a". Each step goes to the best response. `words` describes
 * the state with an id.
 */
export function cycleWords({ cycles }: Pick<Answer, 'cycles'>, words: (id: string) => string): string {
  const shown = cycles.map(cycle => [...cycle, cycle[0]!].map(words).join(' \u2192 '));
  return shown.length === 1 ? `a cycle: ${shown[0]}` : `${shown.length} cycles: ${shown.join('; ')}`;
}

/** Describes the number of trials that would decide an open answer with a probability of 80 %. */
export function neededWords({ trialsNeeded, untold }: Pick<Answer, 'trialsNeeded' | 'untold'>): string {
  const unknown = untold === 1 ? 'one open switch' : `${untold} open switches`;
  if (trialsNeeded === null) return 'the number of trials needed is unknown';
  const told = `about ${trialsNeeded} trials of a state`;
  return untold === 0 ? `${told} would decide it` : `${told} would decide it, except ${unknown} without an estimate`;
}

/** Describes the answer of a game: "limit 2bdp: equilibrium 1bbr_1cubic (12 trials)". */
export function describeAnswer({
  title,
  answer,
  trials,
}: Pick<GameCaseSummary, 'title' | 'answer' | 'trials'>): string {
  const name = title === '' ? '' : `${title}: `;
  if (answer === null) return `${name}not complete (${counted(trials, 'trial')})`;
  const states = answer.states.join(', ');
  const needed = answer.trialsNeeded === null ? '' : `: ${neededWords(answer)}`;
  const others = othersWords(answer);
  const beside = others === null ? '' : `; ${others}`;
  const words = {
    equilibrium: `equilibrium ${states}${beside}`,
    equilibria: `equilibria ${states}${beside}`,
    cycle: `no equilibrium on the path, best responses form ${cycleWords(answer, id => id)}${beside}`,
    none: 'no equilibrium: in every state, some player gains by a switch',
    undecided: `undecided${undecidedAt(answer.states)}${needed}`,
    measured: `${counted(answer.states.length, 'state')} measured`,
  };
  return `${name}${words[answer.kind]} (${counted(trials, 'trial')})`;
}
