/** Planner of a pairwise study. It runs the trials that the scheduler chooses, until every cell is done or given up. */
import type { Application } from '../../definition/applications.ts';
import type { Condition } from '../../definition/conditions.ts';
import { throughputBps } from '../../record/traffic.ts';
import type { TrialFile } from '../../record/trial-file.ts';
import type { Planned, Planner } from '../planner/planner.ts';
import { RetryPolicy } from '../planner/retry-policy.ts';
import { type Cell, contestantOf, isSolo, linkOfCell, mostTrials, type PairsPlan, warmUpMsOf } from './plan.ts';
import { type CellResults, Scheduler } from './scheduler.ts';
import { sideNames } from './sides.ts';

export class MatrixPlanner implements Planner {
  readonly study: string;
  readonly places = sideNames.length;
  readonly #plan: PairsPlan;
  readonly #scheduler: Scheduler;
  readonly #policy: RetryPolicy;
  readonly #results = new Map<string, CellResults>();
  readonly #running = new Set<string>();

  /**
   * `done`: valid trials of an earlier run. `onGivenUp`: called with the id of a cell that is given up because it cannot
   * be measured.
   */
  constructor(plan: PairsPlan, done: Iterable<TrialFile>, onGivenUp?: (cell: string, reason: string) => void) {
    this.study = plan.title;
    this.#plan = plan;
    this.#scheduler = new Scheduler(plan);
    this.#policy = retriesOf(plan, onGivenUp);
    for (const file of done) this.#add(file);
  }

  /** Reason why each given-up cell cannot be measured, by id of the cell. */
  get givenUp(): ReadonlyMap<string, string> {
    return this.#policy.givenUp;
  }

  /** Number of cells that need more trials. */
  get left(): number {
    return this.#scheduler.open(this.#results, this.#isGivenUp).length;
  }

  readonly #isGivenUp = ({ id }: Cell) => this.givenUp.has(id);

  next(): Planned | undefined {
    const trial = this.#scheduler.next(this.#results, this.#running, this.#isGivenUp);
    if (trial === undefined) return undefined;
    const cell = this.#cell(trial.condition);
    this.#running.add(cell.id);
    const { windowMs, coolDownMs, queueLog, pcap, externalLossRatio } = this.#plan.run;
    return {
      trial,
      condition: conditionOfCell(this.#plan, cell),
      times: { windowMs, settleMs: warmUpMsOf(this.#plan, cell), coolDownMs, queueLog, pcap, externalLossRatio },
      // The two sides use each other's hosts in every second round.
      places: cell.sides.map((_, side) => (trial.repeat % 2 === 1 ? side : 1 - side)),
    };
  }

  take({ trial }: Planned, file: TrialFile): boolean {
    this.#running.delete(trial.condition);
    if (file.verdict.status !== 'invalid') this.#add(file);
    this.#policy.take(trial, file.verdict);
    return false; // The scheduler returns it again as a missing trial.
  }

  refuse({ trial }: Planned, reason: string): boolean {
    this.#running.delete(trial.condition);
    this.#policy.lose(trial.condition, reason);
    return true;
  }

  #add(file: TrialFile): void {
    const { trial, phases } = file;
    if (phases === null) return;
    const throughput = file.applications.map(({ name }) => throughputBps(file, name) ?? 0);
    this.#results.set(trial.condition, [
      ...(this.#results.get(trial.condition) ?? []),
      { round: trial.repeat, throughputBps: throughput },
    ]);
  }

  #cell(id: string): Cell {
    return this.#plan.cells.find(cell => cell.id === id)!;
  }
}

/**
 * Returns the rule by which cells are given up. One lost trial is enough, because a service that never starts must not
 * delay the others. A service that fails alone will also fail beside another service, so all pairs of this service on
 * the same link are given up as well.
 */
export function retriesOf(plan: PairsPlan, onGivenUp?: (cell: string, reason: string) => void): RetryPolicy {
  const alsoGivenUp = (condition: string, reason: string) => {
    const cell = plan.cells.find(({ id }) => id === condition)!;
    const [name] = cell.sides;
    if (!isSolo(cell)) return [];
    return plan.cells
      .filter(other => !isSolo(other) && other.link === cell.link && other.sides.includes(name!))
      .map(({ id }) => ({ condition: id, reason: `${name} does not run alone: ${reason}` }));
  };
  const { retries } = plan.run;
  return new RetryPolicy({ retries, trials: mostTrials(plan), lostInRow: 1, alsoGivenUp }, onGivenUp);
}

/** Returns the condition of a cell's trials. The services of the cell are the applications "first" and "second". */
export function conditionOfCell(plan: PairsPlan, cell: Cell): Condition {
  const applications = cell.sides.map((name, side): Application => {
    const { title, service, kind, frameRate } = contestantOf(plan, name);
    return {
      name: sideNames[side]!,
      title,
      service,
      kind,
      direction: 'down',
      startMs: null,
      stopMs: null,
      headStartMs: null,
      ...(frameRate === undefined ? {} : { frameRate }),
    };
  });
  const { title, link } = linkOfCell(plan, cell);
  const titles = cell.sides.map(name => contestantOf(plan, name).title);
  return {
    id: cell.id,
    title: `${titles.join(' beside ')}, ${title}`,
    baseline: cell.id,
    link,
    applications,
    subject: sideNames[0],
  };
}
