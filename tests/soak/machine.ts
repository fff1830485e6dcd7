/** What is on the machine that a run could leave behind, by name, and how much memory the kernel uses. */
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { run } from '../../core/system/command.ts';

/** Things that a run makes and must remove, by kind. */
export type Things = Record<string, ReadonlySet<string>>;

/** Amounts that vary from second to second, and must not grow from hour to hour. */
export type Amounts = { kernelMemoryMiB: number; bpfPrograms: number; openFiles: number };

const linesOf = (text: string) => text.split('\n').filter(line => line.trim() !== '');

function namesIn(directory: string, pattern: RegExp): string[] {
  try {
    return readdirSync(directory)
      .filter(name => pattern.test(name))
      .map(name => `${directory}/${name}`);
  } catch {
    return []; // there is none
  }
}

function textOf(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}

/** Lines that are alike are told apart: each is a thing of its own. */
export function numbered(lines: readonly string[]): string[] {
  const seen = new Map<string, number>();
  return lines.map(line => {
    const count = (seen.get(line) ?? 0) + 1;
    seen.set(line, count);
    return count === 1 ? line.trim() : `${line.trim()} (${count})`;
  });
}

/** What a program prints; nothing where it is not installed. */
async function printed(...line: string[]): Promise<string[]> {
  try {
    const { stdout } = await run(line, { allowFailure: true });
    return linesOf(stdout);
  } catch {
    return [];
  }
}

/** Processes by the network namespace that they are in: a browser keeps neither our environment nor our name. */
function processesByNamespace(): Map<string, string[]> {
  const found = new Map<string, string[]>();
  for (const pid of readdirSync('/proc').filter(name => /^\d+$/.test(name))) {
    try {
      const namespace = readlinkSync(`/proc/${pid}/ns/net`);
      const name = `${textOf(`/proc/${pid}/comm`).trim()} (${pid})`;
      found.set(namespace, [...(found.get(namespace) ?? []), name]);
    } catch {
      continue; // it ended meanwhile
    }
  }
  return found;
}

/** Groups of ours, which are made beside a session of a user, or above it. */
function controlGroups(): string[] {
  const levels = [namesIn('/sys/fs/cgroup', /./)];
  while (levels.length < 4) levels.push(levels.at(-1)!.flatMap(path => namesIn(path, /./)));
  return levels.flat().filter(path => /coexist/.test(path));
}

/** Scratch files of ours, of the browser and of its driver; not those of this soak. */
const scratchFiles = (own: string) =>
  ['/run', '/tmp', '/dev/shm']
    .flatMap(directory => namesIn(directory, /^\.?(coexist|playwright|org\.chromium)/i))
    .filter(path => path !== own);

/** `own`: folder of this soak; `known`: network namespaces that were there before it. */
export async function thingsOfMachine(own: string, known: ReadonlySet<string>): Promise<Things> {
  const [named, rules, ...firewall] = await Promise.all([
    printed('ip', 'netns', 'list'),
    printed('ip', 'rule', 'list'),
    printed('nft', 'list', 'ruleset'),
    printed('iptables', '-S'),
    printed('iptables', '-t', 'nat', '-S'),
  ]);
  const processes = [...processesByNamespace()].filter(([namespace]) => !known.has(namespace));
  const things: Record<string, string[]> = {
    'network namespaces': named.map(line => line.split(' ')[0]!),
    'processes in other network namespaces': processes.flatMap(([, names]) => names),
    'network devices': namesIn('/sys/class/net', /./),
    'routing rules': rules,
    'firewall rules': numbered(firewall.flat()),
    'congestion controls': textOf('/proc/sys/net/ipv4/tcp_available_congestion_control').trim().split(' '),
    'pinned BPF objects': namesIn('/sys/fs/bpf', /./),
    'control groups': controlGroups(),
    mounts: linesOf(textOf('/proc/self/mountinfo')).map(line => line.split(' ')[4]!),
    'scratch files': scratchFiles(own),
  };
  return Object.fromEntries(Object.entries(things).map(([kind, names]) => [kind, new Set(names)]));
}

/** Network namespaces in which processes are now. */
export const namespacesInUse = (): Set<string> => new Set(processesByNamespace().keys());

/** "network devices: coexist-1, coexist-2", for each kind of which there is more than there was. */
export function newThings(before: Things, now: Things): string[] {
  return Object.entries(now).flatMap(([kind, names]) => {
    const fresh = [...names].filter(name => before[kind]?.has(name) !== true);
    return fresh.length === 0 ? [] : [`${kind}: ${fresh.sort().join(', ')}`];
  });
}

/** Kernel memory that cannot be taken back (proc(5), SUnreclaim), BPF programs, open files of the whole machine. */
export function amountsOfMachine(): Amounts {
  const slabKiB = Number(/^SUnreclaim:\s+(\d+)/m.exec(textOf('/proc/meminfo'))?.[1] ?? Number.NaN);
  return {
    kernelMemoryMiB: slabKiB / 1024,
    bpfPrograms: linesOf(textOf('/proc/vmallocinfo')).filter(line => line.includes('bpf_prog_alloc')).length,
    openFiles: Number(textOf('/proc/sys/fs/file-nr').split('\t')[0]),
  };
}
