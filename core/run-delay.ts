/**
 * How long the threads of processes were ready and waited for a processor ("run delay"): the second field of
 * /proc/PID/task/TID/schedstat, ns since the thread began (Linux, Documentation/scheduler/sched-stats.rst). The kernel
 * keeps it wherever it has CONFIG_SCHED_INFO, also without CONFIG_SCHEDSTATS. It counts all waiting for the run queue:
 * behind other programs, and behind other threads of the same process.
 */
import { readFileSync, readdirSync } from 'node:fs';

/** ms by thread id; empty of a process that has ended, or where the kernel does not tell. */
export function runDelaysMs(pid: number): Map<number, number> {
  const delays = new Map<number, number>();
  for (const thread of namesIn(`/proc/${pid}/task`)) {
    try {
      const [, waitedNs] = readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'latin1').split(' ');
      if (waitedNs !== undefined) delays.set(Number(thread), Number(waitedNs) / 1e6);
    } catch {
      continue; // it has ended
    }
  }
  return delays;
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
