/**
 * Measures how long threads of the trial waited for a processor, for each part of the trial. The waits show the effect
 * of other programs on the trial. On a fully busy machine the trial's threads need not wait, if other programs have a
 * lower precedence.
 *
 * Parts of a trial on another machine are not measured here.
 */
import { readFileSync } from 'node:fs';
import { nowMs } from '../../../core/system/clock.ts';
import { type Host, isThisMachine } from '../../../core/system/host.ts';
import { runDelaysMs } from '../../../core/system/run-delay.ts';
import { hostLimits } from '../../../core/vocabulary/host-limits.ts';
import { type ByPart, ofEachPart, type TrialPart } from '../../../core/vocabulary/trial-parts.ts';

/** Interval of searches for new processes, ms. A search costs more than reading the processes that are known. */
const lookEveryMs = 5000;

/**
 * Patterns of the command line that identify the part to which a process belongs. The first match counts. A process
 * without a match serves an application or measures.
 */
const words: readonly (readonly [RegExp, TrialPart])[] = [
  [/coexist-link/, 'link'],
  [/coexist-tunnel/, 'tunnel'],
  [/server\/main\.ts/, 'mediaServer'],
  [/iperf3|services\/(iperf|udp-flow)/, 'flood'],
  [/chrom|headless.shell/i, 'browser'],
];

/** Returns the part of the trial to which a process belongs. `commandLine`: content of /proc/PID/cmdline. */
export const partOf = (commandLine: string): TrialPart =>
  words.find(([word]) => word.test(commandLine))?.[1] ?? 'other';

/**
 * A process that was found. `threadsMs`: total wait of each thread that was ever seen. The kernel lists the threads of
 * a process by position, so it may omit a thread while another one ends. Without this map, the whole wait of an omitted
 * thread would count in the next second.
 */
type Known = { part: TrialPart; threadsMs: Map<number, number> };

/**
 * Returns the upper bound for the wait of a thread: twice the second longest wait, or the limit of an undisturbed trial
 * if that is higher. A program that takes a processor from a trial delays more than one thread. A long wait of a single
 * thread is an error of the kernel: Linux 6.12 and later may count a thread's sleep as waiting (docs/benchmarks.md,
 * "Waiting").
 */
function boundOf(waitsMs: readonly number[]): number {
  let [longest, second] = [0, 0];
  for (const ms of waitsMs)
    if (ms > longest) [longest, second] = [ms, longest];
    else if (ms > second) second = ms;
  return Math.max(2 * second, hostLimits.threadWaitMs.degraded);
}

const none = { sumMs: 0, longestMs: 0 } as const;

type Waits = {
  /** Waits of all threads of a part, as a number of cores. */
  waitRatio: ByPart;
  /** Longest total wait of a thread of the part, ms. No single wait of a thread was longer. */
  threadWaitMaxMs: ByPart;
};

export class ThreadWaits {
  readonly #hosts: readonly Host[];
  readonly #read: typeof runDelaysMs;
  readonly #known = new Map<number, Known>();
  #lookedMs = -Infinity;
  #takenMs = nowMs();

  /** `hosts`: hosts of the trial. All processes on them belong to the trial, as does this process. */
  constructor(hosts: readonly Host[], read: typeof runDelaysMs = runDelaysMs) {
    this.#hosts = [...new Set(hosts)].filter(isThisMachine);
    this.#read = read;
    this.#known.set(process.pid, { part: 'harness', threadsMs: read(process.pid) });
    void this.#look();
  }

  /** Returns the waits since the last call. Waits of a thread before its process was found do not count. */
  take(): Waits {
    const timeMs = nowMs();
    const intervalMs = Math.max(1, timeMs - this.#takenMs);
    this.#takenMs = timeMs;
    const waited: { part: TrialPart; ms: number }[] = [];
    for (const [pid, { part, threadsMs }] of this.#known) {
      const nowMsOf = this.#read(pid);
      if (nowMsOf.size === 0) {
        this.#known.delete(pid);
        continue;
      }
      for (const [thread, ms] of nowMsOf) {
        const beforeMs = threadsMs.get(thread) ?? Math.max(0, ms - intervalMs);
        waited.push({ part, ms: Math.max(0, ms - beforeMs) });
        threadsMs.set(thread, ms);
      }
    }
    if (timeMs - this.#lookedMs > lookEveryMs) void this.#look();
    const mostMs = boundOf(waited.map(({ ms }) => ms));
    const byPart = new Map<TrialPart, { sumMs: number; longestMs: number }>();
    for (const wait of waited) {
      const [ms, { sumMs, longestMs }] = [Math.min(wait.ms, mostMs), byPart.get(wait.part) ?? none];
      byPart.set(wait.part, { sumMs: sumMs + ms, longestMs: Math.max(longestMs, ms) });
    }
    const ratio = (sumMs: number | undefined) => (sumMs === undefined ? null : sumMs / intervalMs);
    return {
      waitRatio: ofEachPart(part => ratio(byPart.get(part)?.sumMs)),
      threadWaitMaxMs: ofEachPart(part => byPart.get(part)?.longestMs ?? null),
    };
  }

  async #look(): Promise<void> {
    this.#lookedMs = nowMs();
    for (const host of this.#hosts) {
      // other code ends the trial if a host cannot list its processes
      for (const pid of await host.processIds().catch(() => [])) {
        if (this.#known.has(pid)) continue;
        const commandLine = commandLineOf(pid);
        const threadsMs = this.#read(pid);
        if (commandLine !== '' && threadsMs.size > 0) this.#known.set(pid, { part: partOf(commandLine), threadsMs });
      }
    }
  }
}

/**
 * Returns the command line of a process. It is empty if the process has ended or is just executing another program; the
 * next search then finds it.
 */
function commandLineOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'latin1');
  } catch {
    return '';
  }
}
