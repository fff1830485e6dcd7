/**
 * Enforces the resource limits of a browser (use.ts).
 *
 * If this machine has control groups with limits, each browser gets a group: the kernel ends a browser that has used up
 * its memory, and refuses it further processes. On every machine the processes are checked once a second, and each
 * process has limits (confine.ts). Address space cannot be limited, because Chromium's engine reserves terabytes. The
 * limit is on the data that a process can write to (setrlimit(2), RLIMIT_DATA).
 */

import { CoexistError } from '../../../core/errors.ts';
import { ControlGroup, findGroupPlace, type GroupPlace, toldOfGroups } from '../../../core/system/control-group.ts';
import { ProcessUse } from './process-use.ts';
import { inGibibytes, tasksOf, type UseLimits, UseWatch } from './use.ts';

const found = new Map<string, Promise<GroupPlace>>();

/**
 * Place of the browsers' control groups on this machine. It is found by trying, once for each group of this process: a
 * trial's browsers stay in the trial's group.
 */
export function groupPlace(): Promise<GroupPlace> {
  const { cgroup } = toldOfGroups();
  const place = found.get(cgroup) ?? findGroupPlace();
  found.set(cgroup, place);
  return place;
}

/** Describes the enforcement of limits, for people. */
export const describeLimits = (place: GroupPlace): string =>
  'parent' in place
    ? `by a control group for each browser, in ${place.parent}`
    : `by limits of each process, and a look at all of them once a second (${place.obstacle})`;

/** Message about a browser that ended for an unknown reason. */
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
   * `directory`: folder of the browser in the lease's scratch folder. `isTrusted`: true for a browser that is itself
   * measured; it gets the same share of the processors as other programs.
   */
  static async make(limits: UseLimits, directory: string, isTrusted = false): Promise<Bounds> {
    const place = await groupPlace();
    if (isTrusted || 'obstacle' in place) return new Bounds(limits, undefined);
    const bounds = { memoryBytes: limits.memoryBytes, tasks: tasksOf(limits) };
    return new Bounds(limits, ControlGroup.make(place.parent, bounds, directory));
  }

  /** Kind of enforcement, for the trial's record. */
  get kind(): 'control group' | 'rlimits' {
    return this.#group === undefined ? 'rlimits' : 'control group';
  }

  /** Command line that starts `argv` within its limits. */
  command(argv: readonly string[]): string[] {
    return this.#group?.command(argv) ?? [...argv];
  }

  /** Starts the checks. Calls `onExcess` once if the browser exceeds a limit. `pid`: id of its first process. */
  watch(pid: number, onExcess: (error: CoexistError) => void): void {
    const group = this.#group;
    const processes = new ProcessUse(pid, this.#limits.memoryBytes);
    this.#watch = new UseWatch(
      () => (group === undefined ? processes.read() : { ...group.use(), refusals: group.held().refusals }),
      this.#limits,
      onExcess,
    );
  }

  /** Error for a browser that ended unexpectedly; `what`: message if its memory was not the reason. */
  ended(what: string): CoexistError {
    const isFull = this.#group !== undefined && this.#group.held().kills > 0;
    return new CoexistError(
      'browser-died',
      isFull
        ? `the browser took all of the ${inGibibytes(this.#limits.memoryBytes)} of memory that it may have`
        : `${what}${this.#watch?.words ?? ''}`,
    );
  }

  /** Ends the checks, and all processes in the browser's control group if it has one. Throws `timed-out`. */
  async end(): Promise<void> {
    this.#watch?.stop();
    await this.#group?.remove();
  }
}
