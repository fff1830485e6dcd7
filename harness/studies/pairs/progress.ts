/** What a person sees while a pairwise study runs. */
import type { Cell, PairsPlan } from '../../pairs/plan.ts';
import type { Planned } from '../../planner/planner.ts';
import type { TrialFile } from '../../record/trial-file.ts';
import type { Progress } from '../../runner/study.ts';
import { TrialLines } from '../trial-lines.ts';

export class PairsPrinter extends TrialLines implements Progress {
  readonly #cells: number;

  constructor(plan: PairsPlan, out: NodeJS.WriteStream) {
    super(plan, out);
    this.#cells = plan.cells.length;
  }

  onTrialStart(planned: Planned, attempt: number, open: number): void {
    this.begin(planned, attempt, `${open} of ${this.#cells} cells are open`);
  }

  onTrialEnd({ trial, verdict }: TrialFile): void {
    this.lines.sayResult(trial.id, verdict);
  }

  onGivenUp({ id }: Cell, reason: string): void {
    this.lines.say(`${id}  cannot be measured: ${reason}`);
  }
}
