/** The machine while a trial runs: how busy it was, what the hypervisor took, how punctual timers were. */
import { readFileSync } from 'node:fs';
import { Canary } from '../../core/canary.ts';
import { nowMs } from '../../core/clock.ts';
import { ticksPerSecond } from '../../core/cpu-seconds.ts';
import type { HostRecord } from '../record/series.ts';
import { WakeUpCanary } from './wake-up-canary.ts';

/** Busy and stolen time of all cores since boot, s (proc(5), stat). */
export function parseProcStat(text: string): { busyS: number; stealS: number; cores: number } {
  const [, user, nice, system, , , irq, softirq, steal] = text.split('\n')[0]!.split(/\s+/).map(Number);
  return {
    busyS: (user! + nice! + system! + irq! + softirq!) / ticksPerSecond,
    stealS: (steal ?? 0) / ticksPerSecond,
    cores: text.match(/^cpu\d+ /gm)?.length ?? 1,
  };
}

export class HostLoadCollector {
  readonly #canary = new Canary();
  readonly #wakeUps = new WakeUpCanary();
  #last = { ...parseProcStat(readFileSync('/proc/stat', 'utf8')), timeMs: nowMs() };

  /** The load since the last call. */
  sample(): HostRecord {
    const stat = parseProcStat(readFileSync('/proc/stat', 'utf8'));
    const timeMs = nowMs();
    const seconds = Math.max(1e-3, (timeMs - this.#last.timeMs) / 1000);
    const load = {
      timeMs,
      cores: stat.cores,
      busyRatio: (stat.busyS - this.#last.busyS) / seconds,
      stealRatio: (stat.stealS - this.#last.stealS) / seconds,
      wakeUpDelayMaxMs: this.#wakeUps.take(),
      harnessDelayMaxMs: this.#canary.take(),
    };
    this.#last = { ...stat, timeMs };
    return load;
  }

  stop(): void {
    this.#canary.stop();
    this.#wakeUps.stop();
  }
}
