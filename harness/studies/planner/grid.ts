/**
 * Planner of an experiment: runs every trial of the plan that has no result, in the order of the plan. A void trial is
 * run again after the other trials of the same repeat. If it is void again, the next try comes after the trials of the
 * following repeat, and so on: by then the disturbance of the machine may be over.
 */
import { hopCount } from '../../../core/vocabulary/hops.ts';
import { conditionOf, type Plan, windowMsOf } from '../../definition/plan.ts';
import type { Trial, TrialTimes } from '../../definition/trial.ts';
import type { TrialFile } from '../../record/trial-file.ts';
import { Places } from './places.ts';
import type { Planned, Planner } from './planner.ts';
import { RetryPolicy } from './retry-policy.ts';

/** Parts of a plan with a list of trials. */
type GridPlan = Pick<Plan, 'study' | 'run' | 'conditions' | 'measure'>;

export class GridPlanner implements Planner {
  readonly study: string;
  readonly places: number;
  readonly hops: number;
  readonly spans?: Places['spans'];
  /** Trials that get no further try and have no valid result. */
  readonly failed: Trial[] = [];
  readonly #plan: GridPlan;
  readonly #times: TrialTimes;
  #waiting: Trial[];
  readonly #places: Places;
  readonly #policy: RetryPolicy;
  /** Ids of trials that are running. */
  readonly #running = new Set<string>();
  /** Number of void tries of each trial, by id of the trial. */
  readonly #voids = new Map<string, number>();

  /** `missing`: trials without a result. `onGivenUp`: called for a condition that gets no more tries. */
  constructor(
    plan: GridPlan,
    missing: readonly Trial[],
    onGivenUp: (condition: string, reason: string) => void = () => {},
  ) {
    const { windowMs, startUpMs, queueLog, pcap, retries, repeats } = plan.run;
    this.study = plan.study;
    this.#plan = plan;
    this.#waiting = [...missing];
    this.#times = { windowMs, settleMs: startUpMs, coolDownMs: 0, queueLog, pcap, externalLossRatio: null };
    this.#places = new Places(plan.conditions);
    const { spans } = this.#places;
    this.places = spans.length;
    if (spans.some(span => span !== null)) this.spans = spans;
    this.hops = hopCount(plan.conditions.map(({ link }) => link));
    this.#policy = new RetryPolicy({ retries, trials: missing.length, repeats }, (condition, reason) => {
      this.#drop(condition);
      onGivenUp(condition, reason);
    });
  }

  /**
   * Advice for failed trials that would fail again in the same way. `all`: true if the advice applies to every failed
   * trial.
   */
  get advice(): { words: string[]; all: boolean } {
    const { lasting } = this.#policy;
    return {
      words: [...new Set(lasting.values())],
      all: this.failed.every(({ condition }) => lasting.has(condition)),
    };
  }

  get left(): number {
    return this.#waiting.length + this.#running.size;
  }

  next(): Planned | undefined {
    const trial = this.#waiting.shift();
    if (trial === undefined) return undefined;
    this.#running.add(trial.id);
    const condition = conditionOf(this.#plan, trial.condition);
    const { places, furtherPlaces } = this.#places.of(condition);
    return {
      trial,
      condition,
      times: { ...this.#times, windowMs: windowMsOf(condition, this.#plan) },
      measure: this.#plan.measure,
      places,
      ...(furtherPlaces.every(({ length }) => length === 0) ? {} : { furtherPlaces }),
    };
  }

  take({ trial }: Planned, file: TrialFile): boolean {
    this.#running.delete(trial.id);
    const fate = this.#policy.take(trial, file.verdict);
    if (fate === 'again') this.#putBack(trial);
    if (fate === 'lost') this.failed.push(trial);
    return fate === 'again';
  }

  refuse(): boolean {
    return false;
  }

  #putBack(trial: Trial): void {
    const voids = (this.#voids.get(trial.id) ?? 0) + 1;
    this.#voids.set(trial.id, voids);
    const isBefore = ({ repeat }: Trial) => repeat < trial.repeat + voids;
    this.#waiting.splice(this.#waiting.findLastIndex(isBefore) + 1, 0, trial);
  }

  #drop(condition: string): void {
    const isIts = (trial: Trial) => trial.condition === condition;
    this.failed.push(...this.#waiting.filter(isIts));
    this.#waiting = this.#waiting.filter(trial => !isIts(trial));
  }
}
