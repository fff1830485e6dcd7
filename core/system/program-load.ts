/**
 * How much of the processors other programs of this machine use (proc(5), stat and [pid]/stat). A program's processes
 * count together, by the name of its file, or of its command where that may not be read. The programs of this session
 * do not count: this process, its descendants, and those that started it. Kernel threads count in the sum alone, and so
 * does a process that lived for less than the time between two readings, as a compiler's.
 */
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { basename } from 'node:path';
import { nowMs } from './clock.ts';
import { ticksPerSecond } from './cpu-seconds.ts';
import { parseProcStat } from './proc-stat.ts';
import { fieldsBehindName } from './process-stat.ts';

type ProcessTicks = { name: string; parent: number; ticks: number };

/** A reading: when, busy time of all cores, and the processes by their ids. */
export type ProcessorReading = {
  timeMs: number;
  busyS: number;
  cores: number;
  processes: ReadonlyMap<number, ProcessTicks>;
};

/** Busy cores; `programs`: those that use a share worth naming, the busiest first. */
export type ProgramLoad = { cores: number; busyCores: number; programs: { name: string; cores: number }[] };

/** Less of a core than this is no load worth naming. */
const leastCores = 0.05;
/** Parent of all kernel threads. */
const kernelThreads = 2;

/** A line of /proc/[pid]/stat: the name in brackets may hold spaces and brackets. */
export function parseProcess(stat: string): ProcessTicks {
  const fields = fieldsBehindName(stat);
  return {
    name: stat.slice(stat.indexOf('(') + 1, stat.lastIndexOf(')')),
    parent: Number(fields[1]),
    ticks: Number(fields[11]) + Number(fields[12]),
  };
}

/** Of the file that it runs: Node and others call their main thread something else. */
function programName(id: string): string | undefined {
  try {
    return basename(readlinkSync(`/proc/${id}/exe`).replace(/ \(deleted\)$/, ''));
  } catch {
    return undefined; // a kernel thread, or another user's
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
      // it has ended
    }
  }
  const { busyS, cores } = parseProcStat(readFileSync('/proc/stat', 'utf8'));
  return { timeMs: nowMs(), busyS, cores, processes };
}

/** Ids of a process, of those that started it, and of its descendants. */
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

/** What other programs used between two readings. `own`: id of the process that asks. */
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
