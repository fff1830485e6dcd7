/**
 * How long threads of the trial waited for a processor, by part. This is what other programs did to the trial: a
 * machine may be busy to the full without any of its threads waiting, where the others have lower precedence.
 *
 * A part that runs on another machine has no reading here.
 */
import { readFileSync } from 'node:fs';
import { nowMs } from '../../../core/system/clock.ts';
import { type Host, isThisMachine } from '../../../core/system/host.ts';
import { runDelaysMs } from '../../../core/system/run-delay.ts';
import { hostLimits } from '../../../core/vocabulary/host-limits.ts';
import { type ByPart, ofEachPart, type TrialPart } from '../../../core/vocabulary/trial-parts.ts';

/** To look which processes there are costs more than to read those that are known, ms. */
const lookEveryMs = 5000;

/**
 * A word of the command line by which a process is known, whatever runs it. Order matters: the first that fits. What
 * fits none serves an application, or measures.
 */
const words: readonly (readonly [RegExp, TrialPart])[] = [
  [/coexist-link/, 'link'],
  [/coexist-tunnel/, 'tunnel'],
  [/server\/main\.ts/, 'mediaServer'],
  [/iperf3|services\/(iperf|udp-flow)/, 'flood'],
  [/chrom|headless.shell/i, 'browser'],
];

/** `commandLine`: as /proc/PID/cmdline has it. */
export const partOf = (commandLine: string): TrialPart =>
  words.find(([word]) => word.test(commandLine))?.[1] ?? 'other';

/**
 * `threadsMs`: of each thread that was ever seen. The kernel's list of the threads of a process may leave one out while
 * another ends (it goes on by position), and what that one waited in its whole life would count in the next second.
 */
type Known = { part: TrialPart; threadsMs: Map<number, number> };

/**
 * What counts of a thread's wait, at most: twice the second longest, or the limit up to which a wait is no disturbance.
 * Whoever takes a processor from a trial keeps more than one of its threads waiting. What one thread alone seems to have
 * waited is a mistake of the kernel: Linux 6.12 and later may count the sleep of a thread as waiting
 * (docs/benchmarks.md, "Waiting").
 */
function boundOf(waitsMs: readonly number[]): number {
  let [longest, second] = [0, 0];
  for (const ms of waitsMs)
    if (ms > longest) [longest, second] = [ms, longest];
    else if (ms > second) second = ms;
  return Math.max(2 * second, hostLimits.threadWaitMs.degraded);
}

const none = { sumMs: 0, longestMs: 0 } as const;

/** Over an interval. */
type Waits = {
  /** All threads of a part together, cores' worth. */
  waitRatio: ByPart;
  /** The thread of a part that waited longest in sum: no single wait of any of its threads was longer. */
  threadWaitMaxMs: ByPart;
};

export class ThreadWaits {
  readonly #hosts: readonly Host[];
  readonly #read: typeof runDelaysMs;
  readonly #known = new Map<number, Known>();
  #lookedMs = -Infinity;
  #takenMs = nowMs();

  /** `hosts`: what runs there belongs to the trial, besides this process. */
  constructor(hosts: readonly Host[], read: typeof runDelaysMs = runDelaysMs) {
    this.#hosts = [...new Set(hosts)].filter(isThisMachine);
    this.#read = read;
    this.#known.set(process.pid, { part: 'harness', threadsMs: read(process.pid) });
    void this.#look();
  }

  /** Since the last call. What a thread waited before its process was first seen does not count. */
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
      // a host that cannot tell what runs there ends the trial elsewhere
      for (const pid of await host.processIds().catch(() => [])) {
        if (this.#known.has(pid)) continue;
        const commandLine = commandLineOf(pid);
        const threadsMs = this.#read(pid);
        if (commandLine !== '' && threadsMs.size > 0) this.#known.set(pid, { part: partOf(commandLine), threadsMs });
      }
    }
  }
}

/** Empty where the process has ended, or just becomes another program: then the next look finds what it is. */
function commandLineOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'latin1');
  } catch {
    return '';
  }
}
