/** Reads the processor time of processes (proc(5), stat). */
import { readFileSync } from 'node:fs';
import { fieldsBehindName } from './process-stat.ts';

/** Clock ticks per second in /proc (USER_HZ): 100 on every Linux that runs Node. */
export const ticksPerSecond = 100;

/** Returns the total processor time of processes, s. `lines`: the line /proc/PID/stat of each process. */
export function cpuSecondsIn(lines: readonly string[]): number {
  let ticks = 0;
  for (const stat of lines) {
    const fields = fieldsBehindName(stat);
    ticks += Number(fields[11]) + Number(fields[12]);
  }
  return ticks / ticksPerSecond;
}

/** Returns the total processor time of processes on this machine, s. Processes that have ended are left out. */
export function cpuSeconds(ids: readonly number[]): number {
  return cpuSecondsIn(
    ids.flatMap(id => {
      try {
        return [readFileSync(`/proc/${id}/stat`, 'utf8')];
      } catch {
        return [];
      }
    }),
  );
}
