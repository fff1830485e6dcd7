/** What a person sees while a pairwise study runs. */
import { formatRate } from '../../core/units.ts';
import type { Planned } from '../planner/planner.ts';
import type { Cell, PairsPlan } from '../pairs/plan.ts';
import type { TrialFile } from '../record/trial-file.ts';
import type { LiveTrial } from '../runner/live-trial.ts';
import type { Progress } from '../runner/study.ts';
import { Lines } from './lines.ts';

const plainEveryMs = 15_000;

export class PairsPrinter implements Progress {
  readonly #plan: PairsPlan;
  readonly #lines: Lines;
  /** When a plain line was last printed of each running trial, ms of its own time. */
  readonly #printedMs = new Map<string, number>();

  constructor(plan: PairsPlan, out: NodeJS.WriteStream) {
    this.#plan = plan;
    this.#lines = new Lines(out);
  }

  onTrialStart({ trial: { id } }: Planned, attempt: number, open: number): void {
    this.#printedMs.delete(id);
    this.#lines.sayForNow(
      `${id}${attempt === 1 ? '' : `, try ${attempt}`}  (${open} of ${this.#plan.cells.length} cells are open)`,
    );
  }

  onPreflight({ trial: { id } }: Planned): void {
    this.#lines.sayForNow(`${id}  testing the link`);
  }

  onLive({ trial: { id } }: Planned, { byApplication, elapsedMs }: LiveTrial): void {
    const rates = byApplication.map(values => formatRate(values?.goodputBps ?? 0)).join(' and ');
    const seconds = (ms: number) => Math.round(ms / 1000);
    const measured = `${seconds(elapsedMs)} of ${seconds(this.#plan.run.windowMs)} s`;
    const text = `${id}  ${elapsedMs < 0 ? 'warming up' : measured}, ${rates}`;
    if (this.#lines.isLive) this.#lines.sayForNow(text);
    else if (elapsedMs - (this.#printedMs.get(id) ?? -Infinity) >= plainEveryMs) {
      this.#printedMs.set(id, elapsedMs);
      this.#lines.say(text);
    }
  }

  onTrialEnd({ trial, verdict }: TrialFile): void {
    this.#lines.sayResult(trial.id, verdict);
  }

  onGivenUp({ id }: Cell, reason: string): void {
    this.#lines.say(`${id}  cannot be measured: ${reason}`);
  }

  say(text: string): void {
    this.#lines.say(text);
  }
}
