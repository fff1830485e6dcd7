/** Progress lines of each trial of studies without a display of their own. */

import { listed } from '../../core/text/listed.ts';
import { formatRate } from '../../core/text/units.ts';
import type { LiveTrial } from '../trial/live-trial.ts';
import { Lines } from './lines.ts';
import type { Planned } from './planner/planner.ts';

const plainEveryMs = 15_000;

export class TrialLines {
  protected readonly lines: Lines;
  /** Time of the last plain line of each running trial, ms since the start of the trial. By id of the trial. */
  readonly #printedMs = new Map<string, number>();

  constructor(out: NodeJS.WriteStream) {
    this.lines = new Lines(out);
  }

  /** Prints the start of a trial. `rest`: text about the progress of the study. */
  protected begin({ trial: { id } }: Planned, attempt: number, rest: string): void {
    this.#printedMs.delete(id);
    this.lines.sayForNow(`${id}${attempt === 1 ? '' : `, try ${attempt}`}  (${rest})`);
  }

  onPreflight({ trial: { id } }: Planned): void {
    this.lines.sayForNow(`${id}  testing the link`);
  }

  onLive({ trial: { id }, times: { windowMs } }: Planned, { byApplication, elapsedMs }: LiveTrial): void {
    const rates = listed(byApplication.map(values => formatRate(values?.goodputBps ?? 0)));
    const seconds = (ms: number) => Math.round(ms / 1000);
    const measured = `${seconds(elapsedMs)} of ${seconds(windowMs)} s`;
    const text = `${id}  ${elapsedMs < 0 ? 'warming up' : measured}, ${rates}`;
    if (this.lines.isLive) this.lines.sayForNow(text);
    else if (elapsedMs - (this.#printedMs.get(id) ?? -Infinity) >= plainEveryMs) {
      this.#printedMs.set(id, elapsedMs);
      this.lines.say(text);
    }
  }

  say(text: string): void {
    this.lines.say(text);
  }
}
