/**
 * Control groups: sets of processes that the kernel treats together. A group with limits (cgroup v2) bounds memory and
 * the number of processes. A group with a weight gets a share of the processors by its weight (Linux,
 * Documentation/admin-guide/cgroup-v2.rst, cgroup-v1).
 *
 * A group with limits needs a parent that passes the controllers "memory" and "pids" on: one of the groups that this
 * command is in. Coexist does not change the machine's own groups, so no group with limits can be made if none of these
 * passes both controllers on.
 */
import { randomBytes } from 'node:crypto';
import {
  closeSync,
  constants,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  rmdirSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { basename, join } from 'node:path';
import { CoexistError, messageOf, systemCode } from '../errors.ts';
import { run } from './command.ts';
import { until } from './deadline.ts';

type GroupLimits = {
  memoryBytes: number;
  /** Maximum number of processes and threads in the group. */
  tasks: number;
};

const needed = ['memory', 'pids'];
const namePattern = /^coexist-[0-9a-f]{12}$/;
/** Name of the file in which `ControlGroup.make` notes the path of the group. */
const noteName = 'control-group';
/** Longest wait for killed processes to end, ms. */
const endMs = 5000;
const tryMs = 10_000;
/** Name of the file that lists the processes of a group. */
export const processList = 'cgroup.procs';

/** Writes text to an existing file; does not create one. */
export function tell(path: string, text: string): void {
  const file = openSync(path, constants.O_WRONLY);
  try {
    writeSync(file, text);
  } finally {
    closeSync(file);
  }
}

/** Returns the lines of a file of a control group. Returns no lines if the group was removed. */
export function linesOf(path: string): string[] {
  try {
    return readFileSync(path, 'utf8')
      .split('\n')
      .filter(line => line !== '');
  } catch {
    return [];
  }
}

/** Returns the numbers of a file whose lines are "name number", by name. */
const countsOf = (path: string): Map<string, number> =>
  new Map(linesOf(path).map(line => [line.split(' ')[0]!, Number(line.split(' ')[1])]));

export class ControlGroup {
  readonly path: string;

  private constructor(path: string) {
    this.path = path;
  }

  /**
   * Makes a group with limits. `parent`: group that passes on the controllers "memory" and "pids". `folder`: folder in
   * the scratch folder of the lease; the path of the group is written there, so that a later run can remove the group
   * if this run is killed.
   */
  static make(parent: string, limits: GroupLimits, folder?: string): ControlGroup {
    return ControlGroup.#make(parent, folder, {
      'memory.max': String(Math.floor(limits.memoryBytes)),
      'memory.oom.group': '1', // kills all processes of the group, because a part of a browser is of no use
      'pids.max': String(limits.tasks),
      'memory.swap.max?': '0', // this file is missing if the kernel does not count swap
    });
  }

  /** Makes a group with a weight for the processors. `folder`: as for `make`. */
  static makeWeighted(parent: string, weight: { file: string; value: string }, folder?: string): ControlGroup {
    return ControlGroup.#make(parent, folder, { [weight.file]: weight.value });
  }

  /**
   * Makes a group. `settings`: values by file name. A question mark at the end of a name marks a file that may be
   * missing.
   */
  static #make(parent: string, folder: string | undefined, settings: Record<string, string>): ControlGroup {
    const path = join(parent, `coexist-${randomBytes(6).toString('hex')}`);
    if (folder !== undefined) writeFileSync(join(folder, noteName), path);
    try {
      mkdirSync(path);
      for (const [name, value] of Object.entries(settings)) {
        const file = join(path, name.replace('?', ''));
        if (!name.endsWith('?') || existsSync(file)) tell(file, value);
      }
    } catch (error) {
      isRemoved(path);
      throw new CoexistError('missing-kernel-feature', `no control group could be made: ${messageOf(error)}`, {
        cause: error,
      });
    }
    return new ControlGroup(path);
  }

  /** Returns the command line that runs `argv` in the group. */
  command(argv: readonly string[]): string[] {
    return ['sh', '-c', 'echo 0 > "$0" && exec "$@"', this.list, ...argv];
  }

  /** Path of the file that lists the group's processes. A process joins the group by writing its id to this file. */
  get list(): string {
    return join(this.path, processList);
  }

  /** Returns the number of processes in the group and their memory use: anonymous memory and shared memory. */
  use(): { processes: number; memoryBytes: number } {
    const memory = countsOf(join(this.path, 'memory.stat'));
    const processes = linesOf(this.list).length;
    return { processes, memoryBytes: (memory.get('anon') ?? 0) + (memory.get('shmem') ?? 0) };
  }

  /**
   * Returns how often the kernel enforced the limits: how many processes it killed for memory, and how often it refused
   * a new process.
   */
  held(): { kills: number; refusals: number } {
    return {
      kills: countsOf(join(this.path, 'memory.events')).get('oom_kill') ?? 0,
      refusals: countsOf(join(this.path, 'pids.events')).get('max') ?? 0,
    };
  }

  /**
   * Removes the group. Kills its processes first if the kernel can kill a whole group. Throws `timed-out` if processes
   * remain in the group.
   */
  remove(): Promise<void> {
    return removeGroup(this.path);
  }
}

/**
 * Removes a group and the groups below it. Returns true if the group no longer exists, undefined if processes are still
 * in it.
 */
function isRemoved(path: string): true | undefined {
  try {
    for (const below of readdirSync(path, { withFileTypes: true }))
      if (below.isDirectory()) isRemoved(join(path, below.name));
    rmdirSync(path);
    return true;
  } catch (error) {
    return systemCode(error) === 'ENOENT' ? true : undefined;
  }
}

/**
 * Moves the processes of a group of cgroup v1 to the group above it. The kernel cannot kill such a group as a whole.
 */
function moveOut(path: string): void {
  if (existsSync(join(path, 'cgroup.controllers'))) return; // cgroup v2 does not permit processes in the group above
  for (const id of linesOf(join(path, processList))) {
    try {
      tell(join(path, '..', processList), id);
    } catch {
      continue; // the process has ended
    }
  }
}

async function removeGroup(path: string): Promise<void> {
  if (isRemoved(path)) return;
  try {
    tell(join(path, 'cgroup.kill'), '1');
  } catch {
    // cgroup v1, or a kernel before 5.14: the code that started the processes ends them
    moveOut(path);
  }
  await until(() => isRemoved(path), endMs, `the control group ${path} to be empty`);
}

/**
 * Removes the control groups whose paths are written in the folders of `scratch`. Returns the names of the removed
 * groups.
 */
export async function removeNotedGroups(scratch: string): Promise<string[]> {
  const removed: string[] = [];
  for (const name of existsSync(scratch) ? readdirSync(scratch) : []) {
    const note = join(scratch, name, noteName);
    if (!existsSync(note)) continue;
    const path = readFileSync(note, 'utf8');
    if (!namePattern.test(basename(path)) || !existsSync(join(path, processList))) continue;
    await removeGroup(path);
    removed.push(basename(path));
  }
  return removed;
}

/** Text of the files "cgroup" and "mountinfo" of a process in /proc (proc(5)). */
export type ToldOfGroups = { cgroup: string; mountinfo: string };

/** Reads the files "cgroup" and "mountinfo" of a process. `told`: folder of the process in /proc. */
export function toldOfGroups(told = '/proc/self'): ToldOfGroups {
  const [cgroup, mountinfo] = ['cgroup', 'mountinfo'].map(name => readFileSync(join(told, name), 'utf8'));
  return { cgroup: cgroup!, mountinfo: mountinfo! };
}

/**
 * Returns the folders of the control groups that a process is in, the innermost first. Without `controller`: the groups
 * of cgroup v2. With `controller`: the groups of that controller in cgroup v1.
 */
export function groupsOf({ cgroup, mountinfo }: ToldOfGroups, controller?: string): string[] {
  const isOf = (list: string) => controller === undefined || list.split(',').includes(controller);
  const path = cgroup
    .split('\n')
    .map(line => /^(\d+):([^:]*):(\/.*)$/.exec(line))
    .find(found => (controller === undefined ? found?.[1] === '0' && found[2] === '' : isOf(found?.[2] ?? '')))?.[3];
  if (path === undefined || path.split('/').includes('..')) return []; // the path lies outside of the mounted hierarchy
  for (const line of mountinfo.split('\n')) {
    const [place, kind] = line.split(' - ');
    const [type, , options = ''] = kind?.split(' ') ?? [];
    if (type !== (controller === undefined ? 'cgroup2' : 'cgroup') || !isOf(options)) continue;
    const [, , , root, point] = place!.split(' ');
    const above = root === '/' ? '' : root!;
    if (path !== above && !path.startsWith(`${above}/`)) continue;
    const parts = path
      .slice(above.length)
      .split('/')
      .filter(part => part !== '');
    return Array.from({ length: parts.length + 1 }, (_, k) => join(point!, ...parts.slice(0, parts.length - k)));
  }
  return [];
}

function passesOn(group: string): boolean {
  const words = linesOf(join(group, 'cgroup.subtree_control')).join(' ').split(' ');
  return needed.every(controller => words.includes(controller));
}

/** Group in which groups with limits can be made, or the reason why there is no such group. */
export type GroupPlace = { parent: string } | { obstacle: string };

/**
 * Finds a group in which groups with limits can be made. Tries each candidate by making a group in it and running a
 * program there. `told`: folder in /proc of the process whose groups are the candidates.
 */
export async function findGroupPlace(told = '/proc/self'): Promise<GroupPlace> {
  const groups = groupsOf(toldOfGroups(told));
  if (groups.length === 0) return { obstacle: 'no cgroup v2 is mounted' };
  let obstacle = `no control group of this command passes on ${needed.join(' and ')}`;
  for (const parent of groups.filter(passesOn)) {
    try {
      await tryGroup(parent);
      return { parent };
    } catch (error) {
      obstacle = messageOf(error).split('\n')[0]!;
    }
  }
  return { obstacle };
}

async function tryGroup(parent: string): Promise<void> {
  const group = ControlGroup.make(parent, { memoryBytes: 2 ** 26, tasks: 16 });
  try {
    const { stdout } = await run(group.command(['cat', '/proc/self/cgroup']), { timeoutMs: tryMs });
    if (!stdout.trimEnd().endsWith(`/${basename(group.path)}`))
      throw new CoexistError('missing-kernel-feature', `a program does not get into a control group in ${parent}`);
  } finally {
    await group.remove();
  }
}
