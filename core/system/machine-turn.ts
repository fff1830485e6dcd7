/**
 * One study at a time on a machine: two at once disturb each other's trials. Each takes a number, as at a bakery, and
 * its turn comes when nobody who lives has a smaller one: L. Lamport, "A new solution of Dijkstra's concurrent
 * programming problem", CACM 17(8), 1974. The numbers are in leases, which name their owner: one that was killed holds
 * up nobody, and no lock can stay behind.
 */
import { Lease, type LeasedTurn, leases } from './lease.ts';
import { isAlive } from './process-id.ts';

export type Neighbour = Omit<LeasedTurn, 'number'> & { pid: number };

/** Somebody who chooses for longer than this has been stopped, and will choose a larger number than ours, ms. */
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

  /** Takes a number. `what`: who we are, for the others. `folder`: of the leases; for tests. */
  static take(what: string, folder?: string): MachineTurn {
    const lease = Lease.open(folder);
    const sinceMs = Date.now();
    // seen by the others before we look at theirs: of two who choose at once, one at least sees the other
    lease.setTurn({ what, sinceMs, number: null });
    const number = Math.max(0, ...neighbours(lease.id, folder).map(({ turn }) => turn.number ?? 0)) + 1;
    lease.setTurn({ what, sinceMs, number });
    return new MachineTurn(lease, folder, number);
  }

  /** Those whose turn comes before ours, the first first. */
  get ahead(): Neighbour[] {
    const own = this.#lease.id;
    const now = Date.now();
    return neighbours(own, this.#folder)
      .filter(({ id, turn: { number, sinceMs } }) =>
        number === null ? now - sinceMs < choosingMs : number < this.#number || (number === this.#number && id < own),
      )
      .map(({ pid, turn: { what, sinceMs } }) => ({ what, sinceMs, pid }))
      .sort((a, b) => a.sinceMs - b.sinceMs);
  }

  /** The last act of a study. */
  release(): void {
    this.#lease.release();
  }
}

function neighbours(own: string, folder?: string): { id: string; pid: number; turn: LeasedTurn }[] {
  return leases(folder).flatMap(({ record: { id, owner, turn } }) =>
    turn === undefined || id === own || !isAlive(owner) ? [] : [{ id, pid: owner.pid, turn }],
  );
}
