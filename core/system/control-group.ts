/**
 * Control groups: the kernel treats all processes of a group together. A group with limits (cgroup v2) bounds memory
 * and the number of processes. A group with a weight gets its share of the processors (Linux,
 * Documentation/admin-guide/cgroup-v2.rst, cgroup-v1).
 *
 * A group with limits is created below a group of this command that passes the controllers "memory" and "pids" on.
 * Coexist does not change the machine's own groups, so if none passes them on, no group with limits can be made.
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
  /** Maximum number of processes and threads. */
  tasks: number;
};

const needed = ['memory', 'pids'];
const namePattern = /^coexist-[0-9a-f]{12}$/;
/** Name of the file in a folder that names the control group of this folder. */
const noteName = 'control-group';
/** Longest time until killed processes are gone, ms. */
const endMs = 5000;
const tryMs = 10_000;
/** Name of the file with the processes of a group. */
export const processList = 'cgroup.procs';

/** Writes to an existing file. */
export function tell(path: string, text: string): void {
  const file = openSync(path, constants.O_WRONLY);
  try {
    writeSync(file, text);
  } finally {
    closeSync(file);
  }
}

/** Returns the lines of a group's file. Returns no lines if the group is gone. */
export function linesOf(path: string): string[] {
  try {
    return readFileSync(path, 'utf8')
      .split('\n')
      .filter(line => line !== '');
  } catch {
    return [];
  }
}

/** Returns the numbers of a file with lines "name number". */
const countsOf = (path: string): Map<string, number> =>
  new Map(linesOf(path).map(line => [line.split(' ')[0]!, Number(line.split(' ')[1])]));

export class ControlGroup {
  readonly path: string;

  private constructor(path: string) {
    this.path = path;
  }

  /**
   * Makes a group with limits. `parent`: group that passes on the needed controllers. `folder`: folder in the lease's
   * scratch folder. It records the group, so that a later run finds the group of a killed run.
   */
  static make(parent: string, limits: GroupLimits, folder?: string): ControlGroup {
    return ControlGroup.#make(parent, folder, {
      'memory.max': String(Math.floor(limits.memoryBytes)),
      'memory.oom.group': '1', // kills all its processes, because a part of a browser is of no use
      'pids.max': String(limits.tasks),
      'memory.swap.max?': '0', // missing if the kernel does not count swap
    });
  }

  /** Makes a group with a weight for the processors. `folder`: as in `make`. */
  static makeWeighted(parent: string, weight: { file: string; value: string }, folder?: string): ControlGroup {
    return ControlGroup.#make(parent, folder, { [weight.file]: weight.value });
  }

  /** `settings`: values by file name. A question mark at the end of the name marks a file that may be missing. */
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

  /** Path of the file with its processes. A process joins the group by writing its id there. */
  get list(): string {
    return join(this.path, processList);
  }

  /** Returns the number of processes and their memory use: anonymous memory and files in memory. */
  use(): { processes: number; memoryBytes: number } {
    const memory = countsOf(join(this.path, 'memory.stat'));
    const processes = linesOf(this.list).length;
    return { processes, memoryBytes: (memory.get('anon') ?? 0) + (memory.get('shmem') ?? 0) };
  }

  /** Returns how often the kernel enforced the limits: processes killed for memory, and processes refused. */
  held(): { kills: number; refusals: number } {
    return {
      kills: countsOf(join(this.path, 'memory.events')).get('oom_kill') ?? 0,
      refusals: countsOf(join(this.path, 'pids.events')).get('max') ?? 0,
    };
  }

  /**
   * Kills the processes in the group, if the kernel can kill a whole group, and removes it. Throws `timed-out` if it
   * stays in use.
   */
  remove(): Promise<void> {
    return removeGroup(this.path);
  }
}

/** Removes a group and the groups below it. Returns true if they are gone, undefined while processes are in them. */
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

/** Moves the processes of a group that the kernel cannot kill as a whole to the group above it. */
function moveOut(path: string): void {
  if (existsSync(join(path, 'cgroup.controllers'))) return; // cgroup v2: the group above may have no processes
  for (const id of linesOf(join(path, processList))) {
    try {
      tell(join(path, '..', processList), id);
    } catch {
      continue; // it has ended
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

/** Removes the control groups that folders in `scratch` record. Returns the names of the removed groups. */
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

/** Files "cgroup" and "mountinfo" of a process in /proc (proc(5)). */
export type ToldOfGroups = { cgroup: string; mountinfo: string };

/** Reads these files. `told`: folder of the process in /proc. */
export function toldOfGroups(told = '/proc/self'): ToldOfGroups {
  const [cgroup, mountinfo] = ['cgroup', 'mountinfo'].map(name => readFileSync(join(told, name), 'utf8'));
  return { cgroup: cgroup!, mountinfo: mountinfo! };
}

/**
 * Returns the control groups of a process, the nearest first: those of cgroup v2, or those of a controller of cgroup
 * v1.
 */
export function groupsOf({ cgroup, mountinfo }: ToldOfGroups, controller?: string): string[] {
  const isOf = (list: string) => controller === undefined || list.split(',').includes(controller);
  const path = cgroup
    .split('\n')
    .map(line => /^(\d+):([^:]*):(\/.*)$/.exec(line))
    .find(found => (controller === undefined ? found?.[1] === '0' && found[2] === '' : isOf(found?.[2] ?? '')))?.[3];
  if (path === undefined || path.split('/').includes('..')) return []; // the path lies outside the mounted hierarchy
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

/** Parent for groups with limits, or the reason why there is none. */
export type GroupPlace = { parent: string } | { obstacle: string };

/** Finds a parent by making a group and running a program in it. `told`: folder of the process in /proc. */
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
