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
import { runDelaysMs } from '../../core/run-delay.ts';
import { ofEachPart } from '../../core/trial-parts.ts';
import type { ByPart, TrialPart } from '../../core/trial-parts.ts';

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
    const waitedMs = new Map<TrialPart, { sum: number; longest: number }>();
    for (const [pid, known] of this.#known) {
      const threadsMs = this.#read(pid);
      if (threadsMs.size === 0) {
        this.#known.delete(pid);
        continue;
      }
      const ofPart = waitedMs.get(known.part) ?? { sum: 0, longest: 0 };
      for (const [thread, ms] of threadsMs) {
        const beforeMs = known.threadsMs.get(thread) ?? Math.max(0, ms - intervalMs);
        const sinceMs = Math.max(0, ms - beforeMs);
        ofPart.sum += sinceMs;
        ofPart.longest = Math.max(ofPart.longest, sinceMs);
        known.threadsMs.set(thread, ms);
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
        const threadsMs = this.#read(pid);
        if (commandLine !== undefined && threadsMs.size > 0)
          this.#known.set(pid, { part: partOf(commandLine), threadsMs });
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
