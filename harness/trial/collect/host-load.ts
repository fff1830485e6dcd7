/**
 * Load of the machine during a trial: busy cores, time taken by the hypervisor, lateness of timers, and waits of the
 * trial's threads for a processor.
 */
import { readFileSync } from 'node:fs';
import { nowMs } from '../../../core/system/clock.ts';
import type { Host } from '../../../core/system/host.ts';
import { parseProcStat } from '../../../core/system/proc-stat.ts';
import { TimerLateness } from '../../../core/system/timer-lateness.ts';
import type { HostRecord } from '../../record/series/host.ts';
import { ThreadWaits } from './thread-waits.ts';
import { WakeUpLateness } from './wake-up-lateness.ts';

export class HostLoadCollector {
  readonly #lateness = new TimerLateness();
  readonly #wakeUps = new WakeUpLateness();
  readonly #waits: ThreadWaits;
  #last = { ...parseProcStat(readFileSync('/proc/stat', 'utf8')), timeMs: nowMs() };

  constructor(hosts: readonly Host[]) {
    this.#waits = new ThreadWaits(hosts);
  }

  /** Returns the load since the last call. */
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
      harnessDelayMaxMs: this.#lateness.take(),
      ...this.#waits.take(),
    };
    this.#last = { ...stat, timeMs };
    return load;
  }

  stop(): void {
    this.#lateness.stop();
    this.#wakeUps.stop();
  }
}
