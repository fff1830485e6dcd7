/**
 * Detects that the machine was suspended. Timers cannot detect it, because their clock stops meanwhile
 * (clock_gettime(2): CLOCK_MONOTONIC against CLOCK_BOOTTIME).
 */
import { readFileSync } from 'node:fs';

/** Two clocks at once, ms: one that counts the time asleep, and one that does not. */
type ClockPair = { bootMs: number; monotonicMs: number };

/**
 * /proc/uptime counts in hundredths of a second, from CLOCK_BOOTTIME (proc(5)). Read between two readings of the other,
 * so that a held-up thread counts half.
 */
function readClocks(): ClockPair {
  const before = process.hrtime.bigint();
  const bootMs = Number(readFileSync('/proc/uptime', 'utf8').split(' ')[0]) * 1000;
  return { bootMs, monotonicMs: Number(before + process.hrtime.bigint()) / 2e6 };
}

export class SuspendMeter {
  readonly #read: () => ClockPair;
  readonly #start: ClockPair;

  /** `read`: other clocks, for tests. */
  constructor(read: () => ClockPair = readClocks) {
    this.#read = read;
    this.#start = read();
  }

  /** Time asleep since this was made, ms, to about 10 ms. */
  sleptMs(): number {
    const { bootMs, monotonicMs } = this.#read();
    return Math.max(0, bootMs - this.#start.bootMs - (monotonicMs - this.#start.monotonicMs));
  }
}
