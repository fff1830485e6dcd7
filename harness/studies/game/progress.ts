/** Progress lines of a game study. */
import { counted } from '../../../core/text/counted.ts';
import type { TrialFile } from '../../record/trial-file.ts';
import type { Progress } from '../../trial/study.ts';
import type { Planned } from '../planner/planner.ts';
import { TrialLines } from '../trial-lines.ts';
import type { SearchPlanner } from './planner.ts';

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
