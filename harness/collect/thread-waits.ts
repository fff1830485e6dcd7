/**
 * How long threads of the trial waited for a processor, by part. This is what other programs did to the trial: a
 * machine may be busy to the full without any of its threads waiting, where the others have lower precedence.
 *
 * A part that runs on another machine has no reading here.
 */
import { readFileSync } from 'node:fs';
import { nowMs } from '../../core/clock.ts';
import { isThisMachine } from '../../core/host.ts';
import type { Host } from '../../core/host.ts';
import { runDelaysOf } from '../../core/run-delay.ts';
import type { RunDelay } from '../../core/run-delay.ts';
import { ofEachPart } from '../../core/trial-parts.ts';
import type { ByPart, TrialPart } from '../../core/trial-parts.ts';

/**
 * What counts of the wait for one turn on a processor, ms, at most. Linux 6.12 and later may count the sleep of a thread
 * as waiting: of 21 130 sleeps of 20 to 1520 ms 41 counted 20 ms and more, up to 1720 ms, although the thread was woken in
 * time (docs/benchmarks.md, "Waiting"). A thread that sleeps that long has few turns in a second, so little of it
 * counts. A single wait that is longer is a hold-up, which the readings of the parts themselves tell.
 */
const longestTurnMs = 30;

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
 * `threads`: each that was ever seen. The kernel's list of the threads of a process may leave one out while
 * another ends (it goes on by position), and what that one waited in its whole life would count in the next second.
 */
type Known = { part: TrialPart; threads: Map<number, RunDelay> };

/** Over an interval. */
type Waits = {
  /** All threads of a part together, cores' worth. */
  waitRatio: ByPart;
  /** The thread of a part that waited longest in sum. */
  threadWaitMaxMs: ByPart;
};

export class ThreadWaits {
  readonly #hosts: readonly Host[];
  readonly #read: typeof runDelaysOf;
  readonly #known = new Map<number, Known>();
  #lookedMs = -Infinity;
  #takenMs = nowMs();

  /** `hosts`: what runs there belongs to the trial, besides this process. */
  constructor(hosts: readonly Host[], read: typeof runDelaysOf = runDelaysOf) {
    this.#hosts = [...new Set(hosts)].filter(isThisMachine);
    this.#read = read;
    this.#known.set(process.pid, { part: 'harness', threads: read(process.pid) });
    void this.#look();
  }

  /** Since the last call. What a thread waited before its process was first seen does not count. */
  take(): Waits {
    const timeMs = nowMs();
    const intervalMs = Math.max(1, timeMs - this.#takenMs);
    this.#takenMs = timeMs;
    const waitedMs = new Map<TrialPart, { sum: number; longest: number }>();
    for (const [pid, known] of this.#known) {
      const threads = this.#read(pid);
      if (threads.size === 0) {
        this.#known.delete(pid);
        continue;
      }
      const ofPart = waitedMs.get(known.part) ?? { sum: 0, longest: 0 };
      for (const [thread, now] of threads) {
        const before = known.threads.get(thread) ?? { delayMs: now.delayMs - intervalMs, turns: 0 };
        const longestMs = (now.turns - before.turns) * longestTurnMs;
        const sinceMs = Math.max(0, Math.min(now.delayMs - before.delayMs, longestMs));
        ofPart.sum += sinceMs;
        ofPart.longest = Math.max(ofPart.longest, sinceMs);
        known.threads.set(thread, now);
      }
      waitedMs.set(known.part, ofPart);
    }
    if (timeMs - this.#lookedMs > lookEveryMs) void this.#look();
    const ratio = (ms: number | undefined) => (ms === undefined ? null : ms / intervalMs);
    return {
      waitRatio: ofEachPart(part => ratio(waitedMs.get(part)?.sum)),
      threadWaitMaxMs: ofEachPart(part => waitedMs.get(part)?.longest ?? null),
    };
  }

  async #look(): Promise<void> {
    this.#lookedMs = nowMs();
    for (const host of this.#hosts) {
      // a host that cannot tell what runs there ends the trial elsewhere
      for (const pid of await host.processIds().catch(() => [])) {
        if (this.#known.has(pid)) continue;
        const commandLine = commandLineOf(pid);
        const threads = this.#read(pid);
        if (commandLine !== undefined && threads.size > 0) this.#known.set(pid, { part: partOf(commandLine), threads });
      }
    }
  }
}

function commandLineOf(pid: number): string | undefined {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'latin1');
  } catch {
    return undefined; // it has ended
  }
}
