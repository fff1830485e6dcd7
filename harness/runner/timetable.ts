/** Begins and ends applications at the times that they have of their own. */
import type { Clock } from '../../core/clock.ts';
import { sleepUntil } from '../../core/deadline.ts';
import type { Application } from '../experiment/applications.ts';
import { longestReadLeadMs } from './application-run.ts';

/** As much of an application in a trial as is needed (application-run.ts). */
export type Timed = {
  application: Pick<Application, 'startMs' | 'stopMs'>;
  readonly readLeadMs: number;
  readOut(): Promise<void>;
  stop(): Promise<void>;
};

export class Timetable {
  /** Rejects with what fails of it, until `end`; never resolves. */
  readonly failed: Promise<never>;
  readonly #over = new AbortController();
  readonly #clock: Clock;
  readonly #all: Promise<unknown>;

  /**
   * From now on. Times count from `windowStartMs` of the clock; `begin` is called for those that have a start of their
   * own.
   */
  constructor(
    applications: readonly Timed[],
    windowStartMs: number,
    clock: Clock,
    begin: (index: number) => Promise<unknown>,
  ) {
    const { signal } = this.#over;
    this.#clock = clock;
    const each = applications.map((one, index) => this.#keep(one, windowStartMs, () => begin(index)));
    this.#all = Promise.allSettled(each);
    this.failed = Promise.race(
      each.map(async one => {
        try {
          await one;
        } catch (error) {
          if (!signal.aborted) throw error;
        }
        return new Promise<never>(() => {});
      }),
    );
    this.failed.catch(() => {}); // told to whoever looks
  }

  async #keep(one: Timed, windowStartMs: number, begin: () => Promise<unknown>): Promise<void> {
    const { signal } = this.#over;
    const { startMs, stopMs } = one.application;
    const until = (offsetMs: number) => sleepUntil(windowStartMs + offsetMs, signal, this.#clock);
    if (startMs !== null) {
      await until(startMs);
      await begin();
    }
    if (stopMs === null) return;
    await until(stopMs - longestReadLeadMs);
    await until(stopMs - one.readLeadMs);
    await one.readOut();
    await until(stopMs);
    await one.stop();
  }

  /** Nothing begins or ends by itself from now on. Resolves when what is under way is done. */
  async end(): Promise<void> {
    this.#over.abort();
    await this.#all;
  }
}
