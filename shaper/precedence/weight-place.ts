/**
 * Location for a control group whose weight counts against the whole machine: the top of the tree of groups that
 * divides the processors. This is the tree of the controller "cpu" of cgroup v1, or that of cgroup v2 if its top group
 * passes "cpu" on.
 */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { groupsOf, processList, type ToldOfGroups } from '../../core/system/control-group.ts';

export type WeightPlace = {
  /** Path of the top group, in which the group is made. */
  top: string;
  own: string;
  weight: { file: string; value: string };
  isUnified: boolean;
};

/** File and value of the highest weight of cgroup v2 (Documentation/admin-guide/cgroup-v2.rst). */
const mostWeight = { file: 'cpu.weight', value: '10000' };
/**
 * File and value of the highest weight of cgroup v1 (Documentation/scheduler/sched-design-CFS.rst;
 * kernel/sched/sched.h, MAX_SHARES).
 */
const mostShares = { file: 'cpu.shares', value: '262144' };

/**
 * Files that limit a group to a part of the machine, each with the contents that mean no limit. A group with a limit is
 * not left, because the limit is meant for this command.
 */
const bounds: Readonly<Record<string, RegExp>> = {
  'cpu.max': /^max /,
  'memory.max': /^max$/,
  'cpuset.cpus': /^$/,
  'cpu.cfs_quota_us': /^-1$/,
};

const said = (file: string) => (existsSync(file) ? readFileSync(file, 'utf8').trim() : undefined);

/** Returns the first file that limits `group`; undefined if none does. */
const boundOf = (group: string) =>
  Object.entries(bounds)
    .map(([name, free]) => ({ file: join(group, name), free }))
    .find(({ file, free }) => !free.test(said(file) ?? '') && existsSync(file))?.file;

/** Returns the location for the control group, or the obstacle. */
export function findWeightPlace(told: ToldOfGroups): WeightPlace | { obstacle: string } {
  const [v1, v2] = [groupsOf(told, 'cpu'), groupsOf(told)];
  const groups = v1.length > 0 ? v1 : v2;
  const [own, top] = [groups[0], groups.at(-1)];
  if (own === undefined || top === undefined) return { obstacle: 'no control groups are mounted' };
  if (v1.length === 0 && said(join(top, 'cgroup.subtree_control'))?.split(' ').includes('cpu') !== true)
    return { obstacle: `${top} does not pass on the controller cpu` };
  const bound = groups.filter(group => group !== top).flatMap(group => boundOf(group) ?? [])[0];
  if (bound !== undefined) return { obstacle: `this command is bound by ${bound}` };
  if (!existsSync(join(own, processList))) return { obstacle: `${own} is not there` };
  return v1.length > 0
    ? { top, own, weight: mostShares, isUnified: false }
    : { top, own, weight: mostWeight, isUnified: true };
}
