/** Processor time of a process and of all that it has started and waited for (proc(5)). */
import { ticksPerSecond } from '../../core/system/cpu-seconds.ts';
import { fieldsBehindName } from '../../core/system/process-stat.ts';

/** s, from the text of /proc/PID/stat: utime, stime, cutime and cstime. */
export function cpuSecondsOf(stat: string): number {
  const ticks = fieldsBehindName(stat).slice(11, 15).map(Number);
  return ticks.reduce((sum, one) => sum + one, 0) / ticksPerSecond;
}
