/**
 * Waits until the hypervisor leaves the machine alone.
 *
 * What a hypervisor takes comes in spells of some ten seconds. A try that was void for the machine's sake is run again
 * at once, and would begin inside the same spell. Time is taken only from processors that are wanted, so every core is
 * kept busy for a moment, and what was taken meanwhile is read. A look comes before a trial and ends before it begins,
 * so it depends on nothing that the trial shows.
 */
import { readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { nowMs } from '../../core/clock.ts';
import { hostLimits } from '../../core/host-limits.ts';
import { parseProcStat } from '../collect/host-load.ts';
import type { TrialFile } from '../record/trial-file.ts';

/** Length of a look, ms: time that was taken is counted in steps of 10 ms. */
const lookMs = 1000;
/** From one look to the next, ms. */
const betweenMs = 3000;
/** A machine that is never calm gets its try nevertheless, ms. */
const longestMs = 90_000;

export type CalmOptions = {
  signal: AbortSignal;
  /** What the hypervisor takes from a machine that wants all cores, cores; a look by default. */
  look?: (signal: AbortSignal) => Promise<number>;
  /** Told once, before it waits. */
  onWait?: (takenCores: number) => void;
  betweenMs?: number;
  longestMs?: number;
};

/** Keeps every core busy for a second and tells what the hypervisor took, cores. */
async function lookAtTakenCores(signal: AbortSignal): Promise<number> {
  const read = () => ({ ...parseProcStat(readFileSync('/proc/stat', 'utf8')), timeMs: nowMs() });
  const before = read();
  const busy = Array.from(
    { length: availableParallelism() },
    () =>
      new Worker(`const end = performance.now() + ${lookMs}; while (performance.now() < end);`, {
        eval: true,
        execArgv: [],
      }),
  );
  const stop = () => void Promise.all(busy.map(worker => worker.terminate()));
  signal.addEventListener('abort', stop, { once: true });
  try {
    await Promise.all(busy.map(worker => new Promise(resolve => worker.once('exit', resolve))));
  } finally {
    signal.removeEventListener('abort', stop);
  }
  signal.throwIfAborted();
  const after = read();
  return (after.stealS - before.stealS) / Math.max(1e-3, (after.timeMs - before.timeMs) / 1000);
}

/** Whether the machine, and not the network or a part, is why a try does not count. */
export function isVoidForMachine({ verdict }: Pick<TrialFile, 'verdict'>): boolean {
  return (
    verdict.status === 'invalid' && verdict.findings.some(({ kind, status }) => kind === 'host' && status === 'invalid')
  );
}

/** Returns when the hypervisor takes less than would mark a trial, or the time for waiting is over. Throws on abort. */
export async function untilCalm({
  signal,
  look = lookAtTakenCores,
  onWait = () => {},
  betweenMs: pauseMs = betweenMs,
  longestMs: mostMs = longestMs,
}: CalmOptions): Promise<void> {
  const startMs = nowMs();
  for (let first = true; ; first = false) {
    const taken = await look(signal);
    if (taken <= hostLimits.stolenCores.degraded || nowMs() - startMs >= mostMs) return;
    if (first) onWait(taken);
    await delay(pauseMs, undefined, { signal });
  }
}
