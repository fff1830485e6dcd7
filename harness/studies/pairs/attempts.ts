/**
 * Gives cells up. A cell is given up if one of its trials is lost (harness/studies/planner/retry-policy.ts), because a
 * service that never starts must not delay the others. It is also given up if the study has no further tries left.
 */
import { voidWords } from '../../../core/vocabulary/void-reasons.ts';
import type { Trial } from '../../definition/trial.ts';
import type { Verdict } from '../../record/trial-file.ts';
import { RetryPolicy } from '../planner/retry-policy.ts';
import { type Cell, isSolo, mostTrials, type PairsPlan } from './plan.ts';

export type Lost = { cell: Cell; reason: string };

export class Attempts {
  readonly #plan: PairsPlan;
  readonly #policy: RetryPolicy;
  readonly #givenUp = new Map<string, string>();

  constructor(plan: PairsPlan) {
    this.#plan = plan;
    this.#policy = new RetryPolicy({ retries: plan.run.retries, trials: mostTrials(plan) });
  }

  /** Reason why each given-up cell cannot be measured, by id of the cell. */
  get givenUp(): ReadonlyMap<string, string> {
    return this.#givenUp;
  }

  /** Records the verdict on a try. Returns the cells that this verdict causes to be given up. */
  take(cell: Cell, { id }: Pick<Trial, 'id'>, verdict: Verdict): Lost[] {
    const isLost = this.#policy.take({ id, condition: cell.id }, verdict) === 'lost';
    const { lasting, givenUp } = this.#policy;
    const reason = lasting.has(cell.id) ? givenUp.get(cell.id)! : voidWords(verdict);
    return [
      ...(isLost ? this.giveUp(cell, reason) : []),
      ...this.#plan.cells.flatMap(other => {
        const reason = this.#policy.givenUp.get(other.id);
        return reason === undefined ? [] : this.giveUp(other, reason);
      }),
    ];
  }

  /**
   * Gives a cell up and returns the lost cells. A service that fails alone will also fail beside another service, so
   * all pairs of this service on the same link are given up as well.
   */
  giveUp(cell: Cell, reason: string): Lost[] {
    const [name] = cell.sides;
    const pairs = isSolo(cell)
      ? this.#plan.cells.filter(other => !isSolo(other) && other.link === cell.link && other.sides.includes(name!))
      : [];
    const lost = [
      { cell, reason },
      ...pairs.map(pair => ({ cell: pair, reason: `${name} does not run alone: ${reason}` })),
    ].filter(entry => !this.#givenUp.has(entry.cell.id));
    for (const entry of lost) this.#givenUp.set(entry.cell.id, entry.reason);
    return lost;
  }
}
