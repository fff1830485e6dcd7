/**
 * Rule of the paper, for comparison with the statistical test of this project: a state is an equilibrium if no switch
 * has a higher mean payoff over three trials, without tolerance or interval (Mishra et al., APNet 2021, section 4).
 * With noise this rule finds the right state in only some of the cases.
 */
import type { Evidence } from './evidence.ts';
import { deviationsOf, type Game, type State, stateId } from './game.ts';

const paperTrials = 3;

/**
 * Returns true if the rule calls the state an equilibrium. Null if the state or a neighbour has fewer than three
 * trials.
 */
export function isPaperEquilibrium(game: Game, state: State, evidence: Evidence): boolean | null {
  const mean = (of: State, group: number, strategy: number) => {
    const values = evidence.values(stateId(game, of), group, strategy).slice(0, paperTrials);
    return values.length < paperTrials ? null : values.reduce((sum, value) => sum + value, 0) / paperTrials;
  };
  const gains = deviationsOf(game, state).map(({ group, from, to, target }) => {
    const [stayed, switched] = [mean(state, group, from), mean(target, group, to)];
    return stayed === null || switched === null ? null : switched - stayed;
  });
  return gains.includes(null) ? null : gains.every(gain => gain! <= 0);
}
