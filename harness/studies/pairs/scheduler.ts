/**
 * Chooses the next trial: round robin over the cells that need more trials, cells with a single service first. The seed
 * shuffles the cells within each round. The choice is a pure function of plan and results, so a study that was killed
 * continues as if it had not been interrupted.
 */
import { deriveSeed, seededRandom } from '../../../core/random.ts';
import type { Trial } from '../../definition/trial.ts';
import { type Decision, StoppingRule } from './analysis/stopping-rule.ts';
import { type Cell, isSolo, linkOfCell, type PairsPlan } from './plan.ts';

/** Valid trials of a cell: number of the round, and throughput of each side, bit/s. */
export type CellResults = { round: number; throughputBps: number[] }[];

type Results = ReadonlyMap<string, CellResults>;

export function trialOf({ id }: Cell, round: number): Trial {
  return { number: round, id: `${id}-${String(round).padStart(3, '0')}`, condition: id, repeat: round, seed: 0 };
}

export class Scheduler {
  readonly #plan: PairsPlan;
  readonly #rule: StoppingRule;

  constructor(plan: PairsPlan) {
    this.#plan = plan;
    this.#rule = new StoppingRule(plan.run.stopping, plan.run.repeats);
  }

  /**
   * Decides if a cell needs more trials, by the stopping rule. A cell with a single service has a fixed number of
   * trials.
   */
  decide(cell: Cell, results: CellResults): Decision {
    const sides = cell.sides.map((_, side) => results.map(({ throughputBps }) => throughputBps[side]!));
    const decision = this.#rule.decide(sides, linkOfCell(this.#plan, cell).halfWidthBps);
    if (!isSolo(cell)) return decision;
    return { ...decision, state: results.length >= this.#plan.run.soloRepeats ? 'exhausted' : 'open' };
  }

  /** Returns the cells that need more trials. `isGivenUp`: returns true for a cell that cannot be measured. */
  open(results: Results, isGivenUp: (cell: Cell) => boolean): Cell[] {
    return this.#plan.cells.filter(
      cell => !isGivenUp(cell) && this.decide(cell, results.get(cell.id) ?? []).state === 'open',
    );
  }

  /**
   * Returns the next trial. Undefined if each cell is done or has a running trial. `running`: ids of cells with a
   * running trial.
   */
  next(results: Results, running: ReadonlySet<string>, isGivenUp: (cell: Cell) => boolean): Trial | undefined {
    const open = this.open(results, isGivenUp);
    const phase = open.some(isSolo) ? open.filter(isSolo) : open;
    const free = phase.filter(cell => !running.has(cell.id));
    if (free.length === 0) return undefined;
    const had = (cell: Cell) => results.get(cell.id)?.length ?? 0;
    const fewest = Math.min(...free.map(had));
    const [cell] = free
      .filter(candidate => had(candidate) === fewest)
      .sort((a, b) => this.#place(a, fewest) - this.#place(b, fewest));
    return trialOf(cell!, nextRound(results.get(cell!.id) ?? []));
  }

  /** Returns a number from 0 to 1 by which the cells of a round are sorted. */
  #place({ id }: Cell, round: number): number {
    return seededRandom(deriveSeed(this.#plan.run.seed, 'round', round, id)).next();
  }
}

function nextRound(results: CellResults): number {
  const taken = new Set(results.map(({ round }) => round));
  let round = 1;
  while (taken.has(round)) round++;
  return round;
}
