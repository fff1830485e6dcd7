/**
 * Control group of everything that belongs to the trials of a run: at the top of the machine's tree, with the highest
 * weight. Groups with limits, such as that of a browser, are made below this group if cgroup v2 can limit memory and
 * processes.
 */
import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { systemCode } from '../../core/errors.ts';
import { ControlGroup, linesOf, processList, tell } from '../../core/system/control-group.ts';
import type { WeightPlace } from './weight-place.ts';

/** Name of the folder in the lease's scratch folder for notes about settings that must be restored. */
export const noteFolder = 'precedence';
/** Name of the child group for the processes of a group that may not have processes. */
const members = 'members';

export class TrialGroup {
  /** Path of the file that moves a process into the group. */
  readonly list: string;
  /**
   * Path of the file that moves a process into the top group. With CONFIG_RT_GROUP_SCHED only the top group allows
   * real-time priority.
   */
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

  /**
   * Removes the group. Moves its remaining processes to the group in which this command was started or, if that group
   * no longer exists, to the top.
   */
  async remove(): Promise<void> {
    for (const id of linesOf(this.list)) leave(this.#place, id);
    await this.#group.remove();
  }
}

/**
 * Enables controllers for the child groups of `path`. cgroup v2 then allows no processes in `path`, so they move to a
 * child group. The controller cpu is not enabled, so that the kernel compares everything below by nice values, across
 * groups.
 */
function divide(path: string): void {
  mkdirSync(join(path, members));
  try {
    tell(join(path, 'cgroup.subtree_control'), '+memory +pids');
  } catch {
    // controllers are not available to child groups: browsers of this machine then have no group with limits
  }
}

function leave({ own, top }: WeightPlace, id: string): void {
  for (const group of existsSync(own) ? [own, top] : [top]) {
    try {
      return tell(join(group, processList), id);
    } catch (error) {
      if (systemCode(error) === 'ESRCH') return; // the process has ended
      if (group === top) throw error;
    }
  }
}
