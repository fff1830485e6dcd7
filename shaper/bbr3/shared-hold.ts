/**
 * Shared holder of BBRv3: all flows of this process on a machine use the same one. Loading makes the kernel verify the
 * object, and unloading removes BBRv3 from the kernel. Neither should happen during the window of another trial.
 */
import type { Host } from '../../core/system/host.ts';
import { machineOf } from '../../core/system/local-host.ts';
import { type HeldBbr3, holdBbr3 } from './loader.ts';
import type { Bbr3Budget } from './telemetry.ts';

type Hold = typeof holdBbr3;
type Holder = { budget: Bbr3Budget; held: Promise<HeldBbr3>; users: number };

class MachineHolder {
  readonly #machine: Host;
  readonly #hold: Hold;
  #current: Holder | undefined;
  /** Resolves when all previous holders have ended. */
  #ending: Promise<void> = Promise.resolve();

  constructor(machine: Host, hold: Hold) {
    this.#machine = machine;
    this.#hold = hold;
  }

  async use(budget: Bbr3Budget): Promise<HeldBbr3> {
    if (this.#current !== undefined && this.#current.budget !== budget) {
      // while BBRv3 is in use, the loader reports why the budget cannot be changed
      if (this.#current.users > 0) return this.#hold(this.#machine, budget);
      this.#end();
    }
    const holder = (this.#current ??= this.#start(budget));
    holder.users++;
    try {
      const { identity, failed } = await holder.held;
      let isReleased = false;
      const release = async () => {
        if (!isReleased) holder.users--;
        isReleased = true;
        if (keepers === 0) await this.endUnused();
      };
      return { identity, failed, release };
    } catch (error) {
      holder.users--;
      throw error;
    }
  }

  async endUnused(): Promise<void> {
    if (this.#current?.users === 0) this.#end();
    await this.#ending;
  }

  get isIdle(): boolean {
    return this.#current === undefined;
  }

  #start(budget: Bbr3Budget): Holder {
    const held = this.#ending.then(() => this.#hold(this.#machine, budget));
    const holder: Holder = { budget, held, users: 0 };
    // a failed holder is not reused for the next flow
    held
      .then(({ failed }) => failed)
      .catch(() => {
        if (this.#current === holder) this.#current = undefined;
      });
    return holder;
  }

  #end(): void {
    const { held } = this.#current!;
    this.#current = undefined;
    this.#ending = held.then(({ release }) => release()).catch(() => {});
  }
}

const holders = new Map<Host, MachineHolder>();
let keepers = 0;

/**
 * Returns the existing holder on `host` if it has the budget, otherwise a new one from `holdBbr3`. After `keepBbr3` an
 * unused holder stays until another budget is requested. `hold`: replaced in tests.
 */
export function shareBbr3(host: Host, budget: Bbr3Budget, hold: Hold = holdBbr3): Promise<HeldBbr3> {
  const machine = machineOf(host);
  const holder = holders.get(machine) ?? new MachineHolder(machine, hold);
  holders.set(machine, holder);
  return holder.use(budget);
}

/** Keeps BBRv3 loaded from now on until every caller of `keepBbr3` has called `release`, each of them once. */
export function keepBbr3(): { release(): Promise<void> } {
  keepers++;
  return {
    release: async () => {
      keepers--;
      if (keepers > 0) return;
      for (const [machine, holder] of holders) {
        await holder.endUnused();
        if (holder.isIdle) holders.delete(machine);
      }
    },
  };
}
