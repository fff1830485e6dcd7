/**
 * How long the threads of processes were ready and waited for a processor ("run delay"): the second field of
 * /proc/PID/task/TID/schedstat, ns since the thread began (Linux, Documentation/scheduler/sched-stats.rst). The kernel
 * keeps it wherever it has CONFIG_SCHED_INFO, also without CONFIG_SCHEDSTATS. It counts all waiting for the run queue:
 * behind other programs, and behind other threads of the same process.
 */
import { closeSync, openSync, readdirSync, readSync } from 'node:fs';

/** Three numbers. A trial has some 150 threads, which are read each second: nothing is allocated for a file. */
const buffer = Buffer.alloc(128);

/** ms by thread id; empty of a process that has ended, or where the kernel does not tell. */
export function runDelaysMs(pid: number): Map<number, number> {
  const delays = new Map<number, number>();
  for (const thread of namesIn(`/proc/${pid}/task`)) {
    try {
      const [, waitedNs] = textOf(`/proc/${pid}/task/${thread}/schedstat`).split(' ');
      if (waitedNs !== undefined) delays.set(Number(thread), Number(waitedNs) / 1e6);
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
