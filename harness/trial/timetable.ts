/** Begins and ends applications at their planned times. */
import type { Clock } from '../../core/system/clock.ts';
import { sleepUntil } from '../../core/system/deadline.ts';
import type { Scope } from '../../core/system/scope.ts';
import type { Application } from '../definition/applications.ts';
import { longestReadLeadMs } from './application-run.ts';

/** The members of an application run that the timetable uses (application-run.ts). */
export type Timed = {
  application: Pick<Application, 'startMs' | 'stopMs' | 'pauses'>;
  readonly readLeadMs: number;
  setPaused(isPaused: boolean): Promise<void>;
  readOut(): Promise<void>;
  stop(): Promise<void>;
};

/**
 * Begins, pauses and ends applications at their planned times, which count from `windowStartMs` on `clock`. Calls `begin` for
 * each application with a planned start. A step that fails ends `scope`; an ended scope ends the timetable. Resolves
 * when no step is left.
 */
export async function keepTimes(
  applications: readonly Timed[],
  windowStartMs: number,
  scope: Scope,
  clock: Clock,
  begin: (index: number) => Promise<unknown>,
): Promise<void> {
  const until = (offsetMs: number) => sleepUntil(windowStartMs + offsetMs, scope.signal, clock);
  const keep = async (one: Timed, index: number): Promise<void> => {
    const { startMs, stopMs, pauses = [] } = one.application;
    if (startMs !== null) {
      await until(startMs);
      await begin(index);
    }
    for (const { fromMs, toMs } of pauses) {
      await until(fromMs);
      await one.setPaused(true);
      await until(toMs);
      await one.setPaused(false);
    }
    if (stopMs === null) return;
    await until(stopMs - longestReadLeadMs);
    await until(stopMs - one.readLeadMs);
    await one.readOut();
    await until(stopMs);
    await one.stop();
  };
  const all = applications.map(keep);
  for (const one of all) scope.watch(one);
  await Promise.allSettled(all);
}
