/**
 * The control group of all that belongs to the trials of a run: at the top of the machine's tree, with the highest
 * weight. A group with limits, as a browser gets, is made below it where cgroup v2 has memory and processes to limit.
 */
import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { systemCode } from '../../core/errors.ts';
import { ControlGroup, linesOf, processList, tell } from '../../core/system/control-group.ts';
import type { WeightPlace } from './weight-place.ts';

/** Where it is noted, in the lease's scratch folder. */
export const noteFolder = 'precedence';
/** Name of the group below it with the processes, where it may have none itself. */
const members = 'members';

export class TrialGroup {
  /** File by which a process enters the group. */
  readonly list: string;
  /** File by which one that gets real-time priority enters the top: with CONFIG_RT_GROUP_SCHED it is to be had nowhere else. */
  readonly topList: string;
  readonly #place: WeightPlace;
  readonly #group: ControlGroup;

  private constructor(place: WeightPlace, group: ControlGroup) {
    this.#place = place;
    this.#group = group;
    this.topList = join(place.top, processList);
    this.list = join(group.path, place.isUnified ? members : '', processList);
  }

  static async make(place: WeightPlace, scratch: string): Promise<TrialGroup> {
    const folder = join(scratch, noteFolder);
    mkdirSync(folder, { recursive: true });
    const group = ControlGroup.makeWeighted(place.top, place.weight, folder);
    try {
      if (place.isUnified) divide(group.path);
    } catch (error) {
      await group.remove();
      throw error;
    }
    return new TrialGroup(place, group);
  }

  enter(id = process.pid): void {
    tell(this.list, String(id));
  }

  /** What is left in it goes back to the group in which this command was started, or, where that is gone, to the top. */
  async remove(): Promise<void> {
    for (const id of linesOf(this.list)) leave(this.#place, id);
    await this.#group.remove();
  }
}

/**
 * A group of cgroup v2 that passes controllers on has no processes of its own. Not passed on is the controller cpu, so
 * that the kernel compares all that is below by nice values, across groups.
 */
function divide(path: string): void {
  mkdirSync(join(path, members));
  try {
    tell(join(path, 'cgroup.subtree_control'), '+memory +pids');
  } catch {
    // nobody passes them on: then no browser of this machine has a group with limits
  }
}

function leave({ own, top }: WeightPlace, id: string): void {
  for (const group of existsSync(own) ? [own, top] : [top]) {
    try {
      return tell(join(group, processList), id);
    } catch (error) {
      if (systemCode(error) === 'ESRCH') return; // it has ended
      if (group === top) throw error;
    }
  }
}
