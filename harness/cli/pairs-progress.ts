/** What a person sees while a pairwise study runs. */
import { formatRate } from '../base/units.ts';
import type { Cell, PairsPlan } from '../pairs/plan.ts';
import type { PairTrial, PairTrialFile } from '../pairs/record.ts';
import type { PairsProgress } from '../pairs/run/study.ts';
import type { LiveValues } from '../services/service.ts';

const plainEveryMs = 15_000;
const verdictWords = { valid: 'valid', degraded: 'valid, slightly disturbed', invalid: 'VOID' } as const;

export class PairsPrinter implements PairsProgress {
  readonly #plan: PairsPlan;
  readonly #out: NodeJS.WriteStream;
  readonly #live: boolean;
  /** When a plain line was last printed of each running trial, ms of its own time. */
  readonly #printedMs = new Map<string, number>();

  constructor(plan: PairsPlan, out: NodeJS.WriteStream) {
    this.#plan = plan;
    this.#out = out;
    this.#live = out.isTTY === true;
  }

  onTrialStart({ id }: PairTrial, attempt: number, open: number): void {
    this.#printedMs.delete(id);
    this.#line(`${id}${attempt === 1 ? '' : `, try ${attempt}`}  (${open} of ${this.#plan.cells.length} cells are open)`, true);
  }

  onPreflight({ id }: PairTrial): void {
    this.#line(`${id}  proving the link`, true);
  }

  onLive({ id }: PairTrial, values: LiveValues[], elapsedMs: number): void {
    const rates = values.map(({ goodputBps }) => formatRate(goodputBps)).join(' and ');
    const text = `${id}  ${elapsedMs < 0 ? 'warming up' : `${Math.round(elapsedMs / 1000)} of ${Math.round(this.#plan.run.windowMs / 1000)} s`}, ${rates}`;
    if (this.#live) this.#out.write(`\r\x1b[K${text}`);
    else if (elapsedMs - (this.#printedMs.get(id) ?? -Infinity) >= plainEveryMs) {
      this.#printedMs.set(id, elapsedMs);
      this.#line(text, false);
    }
  }

  onTrialEnd({ trial, verdict }: PairTrialFile): void {
    const reasons = verdict.findings.map(({ message }) => message).join('; ');
    this.#line(`${trial.id}  ${verdictWords[verdict.status]}${reasons === '' ? '' : `: ${reasons}`}`, false);
  }

  onGivenUp({ id }: Cell, reason: string): void {
    this.#line(`${id}  cannot be measured: ${reason}`, false);
  }

  say(text: string): void {
    this.#line(text, false);
  }

  #line(text: string, keepOpen: boolean): void {
    this.#out.write(this.#live ? `\r\x1b[K${text}${keepOpen ? '' : '\n'}` : `${text}\n`);
  }
}
