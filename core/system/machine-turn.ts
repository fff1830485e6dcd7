/**
 * Lets one study at a time use a machine, because two studies at once would disturb each other's trials. Each study
 * takes a number, as in Lamport's bakery algorithm, and its turn comes when no other living study has a smaller number:
 * L. Lamport, "A new solution of Dijkstra's concurrent programming problem", CACM 17(8), 1974. The numbers are in
 * leases, which name their owners. So a killed study blocks no other study, and no lock can be left behind.
 */
import { Lease, type LeasedTurn, leases } from './lease.ts';
import { isAlive } from './process-id.ts';

export type Neighbour = Omit<LeasedTurn, 'number'> & { pid: number };

/**
 * Longest time in which a study chooses its number, ms. Other studies do not wait longer for it: a study that takes
 * longer was stopped, and will choose a larger number than theirs.
 */
const choosingMs = 2000;

export class MachineTurn {
  readonly #lease: Lease;
  readonly #folder: string | undefined;
  readonly #number: number;

  private constructor(lease: Lease, folder: string | undefined, number: number) {
    this.#lease = lease;
    this.#folder = folder;
    this.#number = number;
  }

  /**
   * Takes a number for this study. `what`: description of this study that other studies show. `folder`: folder of the
   * leases, for tests.
   */
  static take(what: string, folder?: string): MachineTurn {
    const lease = Lease.open(folder);
    const sinceMs = Date.now();
    // other studies see this lease before this study reads their numbers: if two studies choose at once, at least one
    // sees the other
    lease.setTurn({ what, sinceMs, number: null });
    const number = Math.max(0, ...neighbours(lease.id, folder).map(({ turn }) => turn.number ?? 0)) + 1;
    lease.setTurn({ what, sinceMs, number });
    return new MachineTurn(lease, folder, number);
  }

  /**
   * Studies whose turn comes before the turn of this study, in the order of their turns. Their times do not give the
   * order, since two studies may take their numbers in the same millisecond.
   */
  get ahead(): Neighbour[] {
    const own = this.#lease.id;
    const now = Date.now();
    return neighbours(own, this.#folder)
      .filter(({ id, turn: { number, sinceMs } }) =>
        number === null ? now - sinceMs < choosingMs : number < this.#number || (number === this.#number && id < own),
      )
      .sort((a, b) => (a.turn.number ?? 0) - (b.turn.number ?? 0) || (a.id < b.id ? -1 : 1))
      .map(({ pid, turn: { what, sinceMs } }) => ({ what, sinceMs, pid }));
  }

  /** Gives up the turn. Called as the last step of a study. */
  release(): void {
    this.#lease.release();
  }
}

function neighbours(own: string, folder?: string): { id: string; pid: number; turn: LeasedTurn }[] {
  return leases(folder).flatMap(({ record: { id, owner, turn } }) =>
    turn === undefined || id === own || !isAlive(owner) ? [] : [{ id, pid: owner.pid, turn }],
  );
}
