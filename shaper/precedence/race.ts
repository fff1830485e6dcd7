/**
 * A race for one processor: a program with precedence beside one without, both busy all the time. Which means a kernel
 * has does not say whether they act, and against whom: nice values act within a control group or a session only,
 * sessions only outside of control groups (sched(7)). The race says it, on a busy machine as well.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { childEnvironment } from '../../core/system/child-environment.ts';
import { killGroup } from '../../core/system/process-group.ts';

/** Both have begun by then, ms. */
const startMs = 60;
/** Many turns of a scheduler that gives programs 1 to 10 ms at once. */
const raceMs = 160;

/** With a second of processor time at most: the harness may be killed before the kernel knows whose end is its own. */
const busyLoop = ['sh', '-c', 'ulimit -t 1; while :; do :; done'];

/** Starts a busy program that stays on a processor, in a session of its own as everything that a trial starts. */
function enter(words: readonly string[], core: number): ChildProcess {
  const argv = ['setpriv', '--pdeathsig', 'KILL', '--', 'taskset', '--cpu-list', String(core), ...words, ...busyLoop];
  const child = spawn(argv[0]!, argv.slice(1), { stdio: 'ignore', detached: true, env: childEnvironment() });
  child.on('error', () => {}); // it has run for no time
  return child;
}

/** Processor time that a process has had, ns; 0 where it has ended or never began. */
function ranNs({ pid }: ChildProcess): number {
  try {
    return Number(readFileSync(`/proc/${pid}/schedstat`, 'utf8').split(' ')[0]);
  } catch {
    return 0;
  }
}

/** A processor that this process may use. */
function ownCore(): number {
  const list = /^Cpus_allowed_list:\s*(\d+)/m.exec(readFileSync('/proc/self/status', 'utf8'))?.[1];
  return Number(list ?? 0);
}

/**
 * The part of the time of both, 0 to 1, that a program behind `words` got: 0.5 is no precedence; null where neither
 * could be seen running.
 */
export async function race(words: readonly string[], beside: readonly string[] = []): Promise<number | null> {
  const core = ownCore();
  const runners = [enter(words, core), enter(beside, core)] as const;
  try {
    await sleep(startMs);
    const before = runners.map(ranNs);
    await sleep(raceMs);
    const [first, second] = runners.map((runner, k) => ranNs(runner) - before[k]!);
    const sum = first! + second!;
    return first! > 0 && sum > 0 ? first! / sum : null;
  } finally {
    for (const runner of runners) killGroup(runner);
  }
}
