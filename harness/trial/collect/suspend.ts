/**
 * Detects that the machine was suspended, by comparing CLOCK_MONOTONIC with CLOCK_BOOTTIME (clock_gettime(2)). Timers
 * cannot detect it, because their clock stops during the suspension.
 */
import { readFileSync } from 'node:fs';

/** Readings of two clocks at one moment, ms. `bootMs` includes the time asleep, `monotonicMs` does not. */
type ClockPair = { bootMs: number; monotonicMs: number };

/**
 * Reads both clocks. /proc/uptime is CLOCK_BOOTTIME in hundredths of a second (proc(5)). It is read between two
 * readings of the monotonic clock, whose mean is taken, so that a delay of the thread counts only half.
 */
function readClocks(): ClockPair {
  const before = process.hrtime.bigint();
  const bootMs = Number(readFileSync('/proc/uptime', 'utf8').split(' ')[0]) * 1000;
  return { bootMs, monotonicMs: Number(before + process.hrtime.bigint()) / 2e6 };
}

export class SuspendMeter {
  readonly #read: () => ClockPair;
  readonly #start: ClockPair;

  /** `read`: function that reads the clocks; tests replace it. */
  constructor(read: () => ClockPair = readClocks) {
    this.#read = read;
    this.#start = read();
  }

  /**
   * Returns the milliseconds for which the machine has slept since this object was created, accurate to about 10 ms.
   */
  sleptMs(): number {
    const { bootMs, monotonicMs } = this.#read();
    return Math.max(0, bootMs - this.#start.bootMs - (monotonicMs - this.#start.monotonicMs));
  }
}
