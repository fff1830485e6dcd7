/**
 * Enforces the resource limits of a browser (use.ts).
 *
 * Where this machine has control groups with limits, each browser gets one: the kernel ends the browser when it has
 * used up its memory, and refuses it further processes. On every machine the processes are checked once a second, and
 * each process has limits of its own (confine.ts). The address space cannot be limited, because Chromium's engine
 * reserves terabytes; the limit is on the data that a process can write to (setrlimit(2), RLIMIT_DATA).
 */

import { CoexistError } from '../../../core/errors.ts';
import { ControlGroup, findGroupPlace, type GroupPlace, toldOfGroups } from '../../../core/system/control-group.ts';
import { ProcessUse } from './process-use.ts';
import { inGibibytes, tasksOf, type UseLimits, UseWatch } from './use.ts';

const found = new Map<string, Promise<GroupPlace>>();

/**
 * Where this machine has control groups for browsers. Found by trying, once for each group that this process is in: a
 * trial's browsers stay in the trial's own.
 */
export function groupPlace(): Promise<GroupPlace> {
  const { cgroup } = toldOfGroups();
  const place = found.get(cgroup) ?? findGroupPlace();
  found.set(cgroup, place);
  return place;
}

/** In words, for people. */
export const describeLimits = (place: GroupPlace): string =>
  'parent' in place
    ? `by a control group for each browser, in ${place.parent}`
    : `by limits of each process, and a look at all of them once a second (${place.obstacle})`;

/** The words for a browser that ended for no known reason. */
export const plainEnd = 'the browser ended';

export class Bounds {
  readonly #limits: UseLimits;
  readonly #group: ControlGroup | undefined;
  #watch: UseWatch | undefined;

  private constructor(limits: UseLimits, group: ControlGroup | undefined) {
    this.#limits = limits;
    this.#group = group;
  }

  /**
   * `directory`: of the browser, in the lease's scratch folder. `isTrusted`: a browser that is itself measured, and
   * gets the same share of the processors as every other program.
   */
  static async make(limits: UseLimits, directory: string, isTrusted = false): Promise<Bounds> {
    const place = await groupPlace();
    if (isTrusted || 'obstacle' in place) return new Bounds(limits, undefined);
    const bounds = { memoryBytes: limits.memoryBytes, tasks: tasksOf(limits) };
    return new Bounds(limits, ControlGroup.make(place.parent, bounds, directory));
  }

  /** For the record of a trial. */
  get kind(): 'control group' | 'rlimits' {
    return this.#group === undefined ? 'rlimits' : 'control group';
  }

  /** The command line that starts `argv` within its bounds. */
  command(argv: readonly string[]): string[] {
    return this.#group?.command(argv) ?? [...argv];
  }

  /** From now on `onExcess` is called, once, when the browser takes too much. `pid`: of its first process. */
  watch(pid: number, onExcess: (error: CoexistError) => void): void {
    const group = this.#group;
    const processes = new ProcessUse(pid, this.#limits.memoryBytes);
    this.#watch = new UseWatch(
      () => (group === undefined ? processes.read() : { ...group.use(), refusals: group.held().refusals }),
      this.#limits,
      onExcess,
    );
  }

  /** The error for a browser that ended by itself; `what` it did, in words. */
  ended(what: string): CoexistError {
    const isFull = this.#group !== undefined && this.#group.held().kills > 0;
    return new CoexistError(
      'browser-died',
      isFull
        ? `the browser took all of the ${inGibibytes(this.#limits.memoryBytes)} of memory that it may have`
        : `${what}${this.#watch?.words ?? ''}`,
    );
  }

  /** Ends what of the browser still runs, where it has a control group. Throws `timed-out`. */
  async end(): Promise<void> {
    this.#watch?.stop();
    await this.#group?.remove();
  }
}
