/**
 * Enforces the resource limits of a browser (use.ts).
 *
 * If this machine has control groups with limits, each browser gets a group. The kernel then ends a browser that
 * exceeds its memory, and refuses further processes. On every machine, the harness checks the processes once a second,
 * and each process has limits (confine.ts). The limit of a process is on the data that it can write to (setrlimit(2),
 * RLIMIT_DATA). Address space cannot be limited, because Chromium's engine reserves terabytes.
 */

import { CoexistError } from '../../../core/errors.ts';
import { ControlGroup, findGroupPlace, type GroupPlace, toldOfGroups } from '../../../core/system/control-group.ts';
import { ProcessUse } from './process-use.ts';
import { inGibibytes, tasksOf, type UseLimits, UseWatch } from './use.ts';

const found = new Map<string, Promise<GroupPlace>>();

/**
 * Finds the place of the browsers' control groups on this machine by trying. The search runs once for each group of
 * this process, since the browsers of a trial stay in the trial's group.
 */
export function groupPlace(): Promise<GroupPlace> {
  const { cgroup } = toldOfGroups();
  const place = found.get(cgroup) ?? findGroupPlace();
  found.set(cgroup, place);
  return place;
}

/** Returns a description of how the limits are enforced, for people. */
export const describeLimits = (place: GroupPlace): string =>
  'parent' in place
    ? `by a control group for each browser, in ${place.parent}`
    : `by limits of each process, and a look at all of them once a second (${place.obstacle})`;

/** Message about a browser that ended for a reason that is not known. */
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
   * Creates the limits of one browser. `directory`: folder of the browser in the lease's scratch folder. `isTrusted`:
   * true for a browser that is measured; it gets the same share of the processors as other programs.
   */
  static async make(limits: UseLimits, directory: string, isTrusted = false): Promise<Bounds> {
    const place = await groupPlace();
    if (isTrusted || 'obstacle' in place) return new Bounds(limits, undefined);
    const bounds = { memoryBytes: limits.memoryBytes, tasks: tasksOf(limits) };
    return new Bounds(limits, ControlGroup.make(place.parent, bounds, directory));
  }

  /** Way in which the limits are enforced, for the record. */
  get kind(): 'control group' | 'rlimits' {
    return this.#group === undefined ? 'rlimits' : 'control group';
  }

  /** Returns the command line that starts `argv` within the limits. */
  command(argv: readonly string[]): string[] {
    return this.#group?.command(argv) ?? [...argv];
  }

  /**
   * Starts the checks of the browser's processes. Calls `onExcess` once if the browser exceeds a limit. `pid`: id of
   * the browser's first process.
   */
  watch(pid: number, onExcess: (error: CoexistError) => void): void {
    const group = this.#group;
    const processes = new ProcessUse(pid, this.#limits.memoryBytes);
    this.#watch = new UseWatch(
      () => (group === undefined ? processes.read() : { ...group.use(), refusals: group.held().refusals }),
      this.#limits,
      onExcess,
    );
  }

  /**
   * Returns the error for a browser that ended unexpectedly. `what`: message of the error unless the browser ended for
   * lack of memory.
   */
  ended(what: string): CoexistError {
    const isFull = this.#group !== undefined && this.#group.held().kills > 0;
    return new CoexistError(
      'browser-died',
      isFull
        ? `the browser took all of the ${inGibibytes(this.#limits.memoryBytes)} of memory that it may have`
        : `${what}${this.#watch?.words ?? ''}`,
    );
  }

  /**
   * Ends the checks. Ends all processes in the browser's control group, if there is one. Throws `timed-out` if they do
   * not end.
   */
  async end(): Promise<void> {
    this.#watch?.stop();
    await this.#group?.remove();
  }
}
