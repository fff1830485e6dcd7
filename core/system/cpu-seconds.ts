/** Processor time of processes (proc(5), stat). */
import { readFileSync } from 'node:fs';
import { fieldsBehindName } from './process-stat.ts';

/** USER_HZ: ticks of /proc per second, 100 on every Linux that Node runs on. */
export const ticksPerSecond = 100;

/** Used by the processes whose lines these are, one each, s. */
export function cpuSecondsIn(lines: readonly string[]): number {
  let ticks = 0;
  for (const stat of lines) {
    const fields = fieldsBehindName(stat);
    ticks += Number(fields[11]) + Number(fields[12]);
  }
  return ticks / ticksPerSecond;
}

/** Used by a set of processes of this machine, s. Processes that have ended are left out. */
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
