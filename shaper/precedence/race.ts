/**
 * A race for one processor between a program with precedence and one without, both always busy. The features of a
 * kernel do not show if a means of precedence works, and against which programs: nice values work within a control
 * group or a session only, sessions only outside of control groups (sched(7)). The race shows it, also on a busy
 * machine.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { childEnvironment } from '../../core/system/child-environment.ts';
import { killGroup } from '../../core/system/process-group.ts';

/** Milliseconds from the start of the two programs to the start of the race. */
const startMs = 60;
/** Length of the race, ms: many turns of a scheduler with slices of 1 to 10 ms. */
const raceMs = 160;

/**
 * Command of a program that is always busy. It is limited to a second of processor time, in case the harness is killed
 * before the kernel knows its children.
 */
const busyLoop = ['sh', '-c', 'ulimit -t 1; while :; do :; done'];

/** Starts a busy program on processor `core`, in a new session as all programs of a trial. */
function enter(words: readonly string[], core: number): ChildProcess {
  const argv = ['setpriv', '--pdeathsig', 'KILL', '--', 'taskset', '--cpu-list', String(core), ...words, ...busyLoop];
  const child = spawn(argv[0]!, argv.slice(1), { stdio: 'ignore', detached: true, env: childEnvironment() });
  child.on('error', () => {}); // a program that did not start has run for 0 ns
  return child;
}

/** Returns the processor time of a process, ns; 0 if it has ended or never started. */
function ranNs({ pid }: ChildProcess): number {
  try {
    return Number(readFileSync(`/proc/${pid}/schedstat`, 'utf8').split(' ')[0]);
  } catch {
    return 0;
  }
}

/** Returns the number of a processor that this process may use. */
function ownCore(): number {
  const list = /^Cpus_allowed_list:\s*(\d+)/m.exec(readFileSync('/proc/self/status', 'utf8'))?.[1];
  return Number(list ?? 0);
}

/**
 * Races a program behind `words` against one behind `beside`. Returns the share of the processor that the first one
 * got, 0 to 1: 0.5 means no precedence; null if it did not run.
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
