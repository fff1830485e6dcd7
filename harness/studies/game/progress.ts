/** Progress lines of a game study. */
import { counted } from '../../../core/text/counted.ts';
import { cycleWords, neededWords, othersWords, undecidedAt } from '../../../reports/games/others.ts';
import type { TrialFile } from '../../record/trial-file.ts';
import type { Progress } from '../../trial/study.ts';
import type { Planned } from '../planner/planner.ts';
import { TrialLines } from '../trial-lines.ts';
import type { SearchPlanner } from './planner.ts';
import type { GameCaseSummary } from './summary.ts';

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

export class GamePrinter extends TrialLines implements Progress {
  #planner: SearchPlanner | undefined;

  /** Sets the planner whose games the progress lines describe. */
  watch(planner: SearchPlanner): void {
    this.#planner = planner;
  }

  onTrialStart(planned: Planned, attempt: number): void {
    const answers = this.#planner?.answers() ?? [];
    const open = answers.filter(({ answer }) => answer === null).length;
    const trials = answers.reduce((sum, game) => sum + game.trials, 0);
    const games = `${open} of ${counted(answers.length, 'game')} open`;
    this.begin(planned, attempt, `${counted(trials, 'trial')} so far, ${games}`);
  }

  onTrialEnd({ trial, verdict }: TrialFile, willRetry: boolean): void {
    this.lines.sayResult(trial.id, verdict, { willRetry });
  }

  onRefused(trial: string, reason: string): void {
    this.lines.say(`${trial}  could not begin: ${reason}`);
  }

  onGivenUp(condition: string, reason: string): void {
    this.lines.say(`${condition}  gets no more trials: ${reason}`);
  }
}
