/**
 * The planner of an experiment: every trial of its plan that has no result yet, in the plan's order, voided ones again.
 */
import type { TrialFile } from '../record/trial-file.ts';
import { conditionOf } from '../experiment/plan.ts';
import type { Plan } from '../experiment/plan.ts';
import type { Trial, TrialTimes } from '../experiment/trial.ts';
import { mostRetries } from './planner.ts';
import type { Planned, Planner } from './planner.ts';

export class GridPlanner implements Planner {
  readonly study: string;
  readonly places: number;
  /** Trials that got no valid result. */
  readonly failed: Trial[] = [];
  readonly #plan: Plan;
  readonly #times: TrialTimes;
  readonly #waiting: Trial[];
  /** Names of all applications of the plan: each keeps its hosts through the study. */
  readonly #names: string[];
  /** Tries of those that run. */
  readonly #tries = new Map<string, number>();

  /** `missing`: the trials that have no result yet. */
  constructor(plan: Plan, missing: readonly Trial[]) {
    const { windowMs, startUpMs, queueLog, pcap } = plan.run;
    this.study = plan.study;
    this.#plan = plan;
    this.#waiting = [...missing];
    this.#times = { windowMs, settleMs: startUpMs, coolDownMs: 0, queueLog, pcap, externalLossRatio: null };
    this.#names = [...new Set(plan.conditions.flatMap(({ applications }) => applications.map(({ name }) => name)))];
    this.places = this.#names.length;
  }

  get left(): number {
    return this.#waiting.length + this.#tries.size;
  }

  next(): Planned | undefined {
    const trial = this.#waiting.shift();
    if (trial === undefined) return undefined;
    this.#tries.set(trial.id, 1);
    const condition = conditionOf(this.#plan, trial.condition);
    return {
      trial,
      condition,
      times: this.#times,
      places: condition.applications.map(({ name }) => this.#names.indexOf(name)),
    };
  }

  take({ trial }: Planned, file: TrialFile): boolean {
    const tries = this.#tries.get(trial.id) ?? 1;
    if (file.verdict.status === 'invalid' && tries <= mostRetries(file, this.#plan.run.retries)) {
      this.#tries.set(trial.id, tries + 1);
      return true;
    }
    this.#tries.delete(trial.id);
    if (file.verdict.status === 'invalid') this.failed.push(trial);
    return false;
  }

  refuse(): boolean {
    return false;
  }
}
