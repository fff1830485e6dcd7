/**
 * How often the trials of a cell failed, and when the cell is given up: a service that never starts must not delay the
 * others.
 */
import { mostRetries } from '../planner/planner.ts';
import type { Verdict } from '../record/trial-file.ts';
import { isSolo } from './plan.ts';
import type { Cell, PairsPlan } from './plan.ts';

export type Lost = { cell: Cell; reason: string };

export class Attempts {
  readonly #plan: PairsPlan;
  /** Tries that did not count since the last that did, by cell. */
  readonly #voids = new Map<string, number>();
  readonly #givenUp = new Map<string, string>();

  constructor(plan: PairsPlan) {
    this.#plan = plan;
  }

  /** Cells that cannot be measured, and why. */
  get givenUp(): ReadonlyMap<string, string> {
    return this.#givenUp;
  }

  /**
   * Takes the verdict on a try. Returns the cells that are given up by it: a part that fails is tried once more, a
   * disturbance of the host more often.
   */
  take(cell: Cell, verdict: Verdict): Lost[] {
    if (verdict.status !== 'invalid') {
      this.#voids.delete(cell.id);
      return [];
    }
    const voids = (this.#voids.get(cell.id) ?? 0) + 1;
    this.#voids.set(cell.id, voids);
    if (voids <= mostRetries({ verdict }, this.#plan.run.retries)) return [];
    const reasons = verdict.findings.filter(({ status }) => status === 'invalid');
    return this.giveUp(cell, reasons.map(({ message }) => message).join('; '));
  }

  /** A service that fails alone will also fail beside another: its pairs on the link are given up with it. */
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
