/**
 * Measures the processor load by other programs of this machine (proc(5), stat and [pid]/stat). The processes of a
 * program count together, by the name of its executable, or of its command if the executable cannot be read. The
 * programs of this session do not count: this process, its descendants, and its ancestors. Kernel threads count only in
 * the sum, as do processes that lived for less than the time between two readings, for example a compiler's.
 */
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { basename } from 'node:path';
import { nowMs } from './clock.ts';
import { ticksPerSecond } from './cpu-seconds.ts';
import { parseProcStat } from './proc-stat.ts';
import { fieldsBehindName } from './process-stat.ts';

type ProcessTicks = { name: string; parent: number; ticks: number };

/** State of the processors at `timeMs`: busy time of all cores together, number of cores, and processes by id. */
export type ProcessorReading = {
  timeMs: number;
  busyS: number;
  cores: number;
  processes: ReadonlyMap<number, ProcessTicks>;
};

/**
 * Load by other programs. `cores`: number of cores of the machine. `busyCores`: cores that other programs keep busy.
 * `programs`: the programs whose load is worth naming, the busiest first.
 */
export type ProgramLoad = { cores: number; busyCores: number; programs: { name: string; cores: number }[] };

/** Smallest load of a program that is worth naming, cores. */
const leastCores = 0.05;
/** Process id of the parent of all kernel threads. */
const kernelThreads = 2;

/**
 * Parses the line /proc/[pid]/stat of a process. The name of the program, in brackets, may contain spaces and brackets.
 */
export function parseProcess(stat: string): ProcessTicks {
  const fields = fieldsBehindName(stat);
  return {
    name: stat.slice(stat.indexOf('(') + 1, stat.lastIndexOf(')')),
    parent: Number(fields[1]),
    ticks: Number(fields[11]) + Number(fields[12]),
  };
}

/**
 * Returns the name of a process's executable. The name in /proc/[pid]/stat can differ: Node and others rename their
 * main thread.
 */
function programName(id: string): string | undefined {
  try {
    return basename(readlinkSync(`/proc/${id}/exe`).replace(/ \(deleted\)$/, ''));
  } catch {
    return undefined; // the process is a kernel thread or belongs to another user
  }
}

export function readProcessors(): ProcessorReading {
  const processes = new Map<number, ProcessTicks>();
  for (const entry of readdirSync('/proc')) {
    if (!/^\d+$/.test(entry)) continue;
    try {
      const own = parseProcess(readFileSync(`/proc/${entry}/stat`, 'utf8'));
      processes.set(Number(entry), { ...own, name: programName(entry) ?? own.name });
    } catch {
      // the process has ended
    }
  }
  const { busyS, cores } = parseProcStat(readFileSync('/proc/stat', 'utf8'));
  return { timeMs: nowMs(), busyS, cores, processes };
}

/** Returns the id `own`, and the ids of the ancestors and descendants of that process. */
function familyOf(own: number, processes: ProcessorReading['processes']): Set<number> {
  const family = new Set<number>();
  for (let id = own; id > 1 && !family.has(id); id = processes.get(id)?.parent ?? 0) family.add(id);
  const isBelow = (id: number): boolean => {
    const parent = processes.get(id)?.parent ?? 0;
    return parent === own || (parent > 1 && isBelow(parent));
  };
  for (const id of processes.keys()) if (isBelow(id)) family.add(id);
  return family;
}

/** Returns the load by other programs between two readings. `own`: id of the process whose session does not count. */
export function programLoad(before: ProcessorReading, after: ProcessorReading, own: number): ProgramLoad {
  const seconds = Math.max(1e-3, (after.timeMs - before.timeMs) / 1000);
  const family = familyOf(own, after.processes);
  let ownCores = 0;
  const byName = new Map<string, number>();
  for (const [id, { name, parent, ticks }] of after.processes) {
    const last = before.processes.get(id);
    const used = (ticks - (last?.name === name ? last.ticks : 0)) / ticksPerSecond / seconds;
    if (family.has(id)) ownCores += used;
    else if (parent !== kernelThreads) byName.set(name, (byName.get(name) ?? 0) + used);
  }
  const programs = [...byName]
    .map(([name, cores]) => ({ name, cores }))
    .filter(({ cores }) => cores >= leastCores)
    .toSorted((a, b) => b.cores - a.cores);
  const busyCores = Math.min(after.cores, Math.max(0, (after.busyS - before.busyS) / seconds - ownCores));
  return { cores: after.cores, busyCores, programs };
}
