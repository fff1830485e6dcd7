/** Progress lines of a running pairwise study. */

import type { TrialFile } from '../../record/trial-file.ts';
import type { Progress } from '../../trial/study.ts';
import type { Planned } from '../planner/planner.ts';
import { TrialLines } from '../trial-lines.ts';
import type { PairsPlan } from './plan.ts';

export class PairsPrinter extends TrialLines implements Progress {
  readonly #cells: number;

  constructor(plan: PairsPlan, out: NodeJS.WriteStream) {
    super(out);
    this.#cells = plan.cells.length;
  }

  onTrialStart(planned: Planned, attempt: number, open: number): void {
    this.begin(planned, attempt, `${open} of ${this.#cells} cells are open`);
  }

  onTrialEnd({ trial, verdict }: TrialFile): void {
    this.lines.sayResult(trial.id, verdict);
  }

  onGivenUp(cell: string, reason: string): void {
    this.lines.say(`${cell}  cannot be measured: ${reason}`);
  }
}
