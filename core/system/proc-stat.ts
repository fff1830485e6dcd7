/** Reads the processor time of a machine since its start (proc(5), stat). */
import { ticksPerSecond } from './cpu-seconds.ts';

/** Processor time of all cores together, s: busy time, and time stolen by the hypervisor. */
export type ProcStat = { busyS: number; stealS: number; cores: number };

export function parseProcStat(text: string): ProcStat {
  const [, user, nice, system, , , irq, softirq, steal] = text.split('\n')[0]!.split(/\s+/).map(Number);
  return {
    busyS: (user! + nice! + system! + irq! + softirq!) / ticksPerSecond,
    stealS: (steal ?? 0) / ticksPerSecond,
    cores: text.match(/^cpu\d+ /gm)?.length ?? 1,
  };
}
