/**
 * Run delay: the time for which threads were ready and waited for a processor. It is the second field of
 * /proc/PID/task/TID/schedstat, ns since the thread began (Linux, Documentation/scheduler/sched-stats.rst). The kernel
 * provides it with CONFIG_SCHED_INFO, even without CONFIG_SCHEDSTATS. It includes all waiting in the run queue: for
 * other programs, and for other threads of the same process.
 */
import { closeSync, openSync, readdirSync, readSync } from 'node:fs';

/**
 * Buffer for the three numbers of a schedstat file. All reads share it, because about 150 threads of a trial are read
 * each second.
 */
const buffer = Buffer.alloc(128);

/**
 * Returns the run delay of each thread of a process, ms, by thread id. Empty if the process has ended or the kernel
 * does not provide the value.
 */
export function runDelaysMs(pid: number): Map<number, number> {
  const delays = new Map<number, number>();
  for (const thread of namesIn(`/proc/${pid}/task`)) {
    try {
      const [, waitedNs] = textOf(`/proc/${pid}/task/${thread}/schedstat`).split(' ');
      if (waitedNs !== undefined) delays.set(Number(thread), Number(waitedNs) / 1e6);
    } catch {
      continue; // the thread has ended
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
