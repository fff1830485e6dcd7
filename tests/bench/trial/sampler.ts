/**
 * Adds up the processor time of every thread of this machine, by the parts of a trial: a program of its own, beside the
 * harness whose time it measures. Each second it writes a line: `CpuLine`.
 *
 *   node sampler.ts HARNESS
 *
 * Time comes from schedstat, in ns (Linux, Documentation/scheduler/sched-stats.rst); /proc's own has 10 ms. What a
 * thread used after its last reading is lost, so programs that live for less than a second are not seen: the busy time
 * of the machine holds them.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { nowMs } from '../../../core/system/clock.ts';
import { parseProcStat } from '../../../core/system/proc-stat.ts';
import { fieldsBehindName } from '../../../core/system/process-stat.ts';
import { type PartName, partOf, type Thread } from './parts.ts';

/** Seconds used since the start, by part, and by all that the machine's processors did. */
export type CpuLine = { timeMs: number; busyS: number; seconds: Partial<Record<PartName, number>> };

const everyMs = 1000;
const own = { harness: Number(process.argv[2]), sampler: process.pid };
const seconds: Partial<Record<PartName, number>> = {};
/** Used at the last reading, by thread and its start, s. */
let last = new Map<string, number>();
/** By thread, its start and its name: a program gets another name as it starts, a worker of the kernel all the time. */
const known = new Map<string, PartName>();

const nameIn = (stat: string) => stat.slice(stat.indexOf('(') + 1, stat.lastIndexOf(')'));

function threadsOf(process: string): { key: string; part: PartName; usedS: number }[] {
  const folder = `/proc/${process}`;
  return readdirSync(`${folder}/task`).map(thread => {
    const stat = readFileSync(`${folder}/task/${thread}/stat`, 'utf8');
    const key = `${thread} ${fieldsBehindName(stat)[19]}`;
    const named = `${key} ${nameIn(stat)}`;
    const part = known.get(named) ?? partOf(describe(process, nameIn(stat)), own);
    known.set(named, part);
    const usedNs = Number(readFileSync(`${folder}/task/${thread}/schedstat`, 'utf8').split(' ')[0]);
    return { key, part, usedS: usedNs / 1e9 };
  });
}

function describe(process: string, thread: string): Thread {
  const stat = readFileSync(`/proc/${process}/stat`, 'utf8');
  const words = readFileSync(`/proc/${process}/cmdline`, 'utf8').replaceAll('\0', ' ').trim();
  return { process: Number(process), program: nameIn(stat), words, thread };
}

function sample(): void {
  const now = new Map<string, number>();
  for (const process of readdirSync('/proc').filter(name => /^\d+$/.test(name))) {
    try {
      for (const { key, part, usedS } of threadsOf(process)) {
        seconds[part] = (seconds[part] ?? 0) + usedS - (last.get(key) ?? 0);
        now.set(key, usedS);
      }
    } catch {
      continue; // it ended meanwhile
    }
  }
  last = now;
  const line: CpuLine = { timeMs: nowMs(), busyS: parseProcStat(readFileSync('/proc/stat', 'utf8')).busyS, seconds };
  process.stdout.write(`${JSON.stringify(line)}\n`);
}

process.stdin.on('end', () => process.exit(0)).resume();
setInterval(sample, everyMs);
