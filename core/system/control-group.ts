/**
 * A control group: the kernel treats all that runs in it together. One with limits (cgroup v2) holds it to a bound on
 * memory and on processes, one with a weight has its part of the processors (Linux, Documentation/admin-guide/cgroup-v2.rst,
 * cgroup-v1).
 *
 * One with limits is made below a group of this command that passes the controllers "memory" and "pids" on. Nothing of
 * the machine's own groups is changed, so where none does, there is no group with limits.
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
  /** Processes and threads. */
  tasks: number;
};

const needed = ['memory', 'pids'];
const namePattern = /^coexist-[0-9a-f]{12}$/;
/** File of a folder that names the control group which belongs to it. */
const noteName = 'control-group';
/** What was killed takes this long at most to be gone. */
const endMs = 5000;
const tryMs = 10_000;
/** File of a group with its processes. */
export const processList = 'cgroup.procs';

/** Writes to a file that is there. */
export function tell(path: string, text: string): void {
  const file = openSync(path, constants.O_WRONLY);
  try {
    writeSync(file, text);
  } finally {
    closeSync(file);
  }
}

/** Lines of a group's file; none where the group is gone. */
export function linesOf(path: string): string[] {
  try {
    return readFileSync(path, 'utf8')
      .split('\n')
      .filter(line => line !== '');
  } catch {
    return [];
  }
}

/** Numbers of a file of lines "name number". */
const countsOf = (path: string): Map<string, number> =>
  new Map(linesOf(path).map(line => [line.split(' ')[0]!, Number(line.split(' ')[1])]));

export class ControlGroup {
  readonly path: string;

  private constructor(path: string) {
    this.path = path;
  }

  /**
   * One with limits. `parent`: passes on what is needed. `folder`: a folder of the lease's scratch folder that notes the
   * group, so that what a killed run leaves of it is found.
   */
  static make(parent: string, limits: GroupLimits, folder?: string): ControlGroup {
    return ControlGroup.#make(parent, folder, {
      'memory.max': String(Math.floor(limits.memoryBytes)),
      'memory.oom.group': '1', // half a browser is of no use
      'pids.max': String(limits.tasks),
      'memory.swap.max?': '0', // not there where the kernel counts no swap
    });
  }

  /** One with a part of the processors. `folder`: as of one with limits. */
  static makeWeighted(parent: string, weight: { file: string; value: string }, folder?: string): ControlGroup {
    return ControlGroup.#make(parent, folder, { [weight.file]: weight.value });
  }

  /** `settings`: by file; behind the name of one that may be missing is a question mark. */
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

  /** The command line that runs `argv` in the group. */
  command(argv: readonly string[]): string[] {
    return ['sh', '-c', 'echo 0 > "$0" && exec "$@"', this.list, ...argv];
  }

  /** File with its processes, which a process enters by its id. */
  get list(): string {
    return join(this.path, processList);
  }

  /** Memory that is its processes' own, and files in memory that they have written. */
  use(): { processes: number; memoryBytes: number } {
    const memory = countsOf(join(this.path, 'memory.stat'));
    const processes = linesOf(this.list).length;
    return { processes, memoryBytes: (memory.get('anon') ?? 0) + (memory.get('shmem') ?? 0) };
  }

  /** How often the kernel has held it to its limits: processes killed for memory, and processes refused. */
  held(): { kills: number; refusals: number } {
    return {
      kills: countsOf(join(this.path, 'memory.events')).get('oom_kill') ?? 0,
      refusals: countsOf(join(this.path, 'pids.events')).get('max') ?? 0,
    };
  }

  /** Ends what still runs in it. Throws `timed-out`. */
  remove(): Promise<void> {
    return removeGroup(this.path);
  }
}

/** True where it is gone, with the groups below it; undefined while something is in it. */
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

/** What is in a group that cannot be killed goes on in the one above. */
function moveOut(path: string): void {
  if (existsSync(join(path, 'cgroup.controllers'))) return; // cgroup v2: the one above may have no processes
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
    // cgroup v1, or a kernel before 5.14, where whoever started them ends them
    moveOut(path);
  }
  await until(() => isRemoved(path), endMs, `the control group ${path} to be empty`);
}

/** Removes the control groups that folders in `scratch` have noted. Returns the names of those that there were. */
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

/** What /proc tells of a process: its "cgroup" and its "mountinfo" (proc(5)). */
export type ToldOfGroups = { cgroup: string; mountinfo: string };

/** `told`: the folder of a process in /proc. */
export function toldOfGroups(told = '/proc/self'): ToldOfGroups {
  const [cgroup, mountinfo] = ['cgroup', 'mountinfo'].map(name => readFileSync(join(told, name), 'utf8'));
  return { cgroup: cgroup!, mountinfo: mountinfo! };
}

/**
 * The control groups that a process is in, the nearest first: those of cgroup v2, or those of cgroup v1 for a controller.
 */
export function groupsOf({ cgroup, mountinfo }: ToldOfGroups, controller?: string): string[] {
  const isOf = (list: string) => controller === undefined || list.split(',').includes(controller);
  const path = cgroup
    .split('\n')
    .map(line => /^(\d+):([^:]*):(\/.*)$/.exec(line))
    .find(found => (controller === undefined ? found?.[1] === '0' && found[2] === '' : isOf(found?.[2] ?? '')))?.[3];
  if (path === undefined || path.split('/').includes('..')) return []; // it is not below what is mounted here
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

/** Where groups with limits can be made, or why nowhere. */
export type GroupPlace = { parent: string } | { obstacle: string };

/** Found by making one and running a program in it. `told`: the folder of /proc that is asked. */
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
