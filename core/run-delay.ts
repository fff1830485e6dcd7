/**
 * How long the threads of processes were ready and waited for a processor ("run delay"), and how often they got one: the
 * second and third field of /proc/PID/task/TID/schedstat, since the thread began (Linux,
 * Documentation/scheduler/sched-stats.rst). The kernel keeps them wherever it has CONFIG_SCHED_INFO, also without
 * CONFIG_SCHEDSTATS. It counts all waiting for the run queue: behind other programs, and behind other threads of the same
 * process.
 */
import { closeSync, openSync, readSync, readdirSync } from 'node:fs';

/** Three numbers. A trial has some 150 threads, which are read each second: nothing is allocated for a file. */
const buffer = Buffer.alloc(128);

/** `turns`: how often the thread got a processor. */
export type RunDelay = { delayMs: number; turns: number };

/** By thread id; empty of a process that has ended, or where the kernel does not tell. */
export function runDelaysOf(pid: number): Map<number, RunDelay> {
  const delays = new Map<number, RunDelay>();
  for (const thread of namesIn(`/proc/${pid}/task`)) {
    try {
      const [, waitedNs, turns] = textOf(`/proc/${pid}/task/${thread}/schedstat`).split(' ');
      if (turns !== undefined) delays.set(Number(thread), { delayMs: Number(waitedNs) / 1e6, turns: Number(turns) });
    } catch {
      continue; // it has ended
    }
  }
  return delays;
}

function textOf(file: string): string {
  const descriptor = openSync(file, 'r');
  try {
    return buffer.toString('latin1', 0, readSync(descriptor, buffer));
  } finally {
    closeSync(descriptor);
  }
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
