/** Begins and ends applications at the times that they have of their own. */
import type { Clock } from '../../core/system/clock.ts';
import { sleepUntil } from '../../core/system/deadline.ts';
import type { Scope } from '../../core/system/scope.ts';
import type { Application } from '../definition/applications.ts';
import { longestReadLeadMs } from './application-run.ts';

/** As much of an application in a trial as is needed (application-run.ts). */
export type Timed = {
  application: Pick<Application, 'startMs' | 'stopMs'>;
  readonly readLeadMs: number;
  readOut(): Promise<void>;
  stop(): Promise<void>;
};

/**
 * Keeps the times until the scope ends; a step that fails ends it. Times count from `windowStartMs` of the clock; `begin` is
 * called for those that have a start of their own. Resolves when everything under way is done.
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
    const { startMs, stopMs } = one.application;
    if (startMs !== null) {
      await until(startMs);
      await begin(index);
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
