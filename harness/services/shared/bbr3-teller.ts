/**
 * The one reader of BBRv3's telemetry in this process, for all flows of all applications: thirty readers would read the
 * same thing thirty times. It is started for the first that asks, and ends after the last.
 */
import type { Child } from '../../../core/command.ts';
import { until } from '../../../core/deadline.ts';
import { CoexistError } from '../../../core/errors.ts';
import { localHost } from '../../../core/local-host.ts';
import { bbr3Loader } from '../../../shaper/bbr3/loader.ts';
import type { Bbr3Counters, Bbr3Event, Bbr3Sample } from '../../../shaper/bbr3/telemetry.ts';
import { watchBbr3 } from '../../../shaper/bbr3/telemetry.ts';

/** Between two samples, ms; an event is told as it was, however seldom one looks. */
const intervalMs = 100;
/** Within this it tells its counters. */
const firstWordMs = 5000;

export type Listener = {
  sample(sample: Bbr3Sample): void;
  event(event: Bbr3Event): void;
  counters(counters: Bbr3Counters): void;
};
/** `failed` rejects when the reading ends before `close`. */
export type Subscription = { failed: Promise<never>; close(): Promise<void> };

type Watch = (on: Listener) => Child;

export class Bbr3Teller {
  readonly #watch: Watch;
  readonly #listeners = new Set<Listener>();
  #running: { child: Child; failed: Promise<never> } | undefined;
  #counters: Bbr3Counters | undefined;

  constructor(watch: Watch) {
    this.#watch = watch;
  }

  /** Resolves when the counters were told. Whoever listens is told what comes from now on. */
  async listen(listener: Listener): Promise<Subscription> {
    this.#listeners.add(listener);
    const { failed } = (this.#running ??= this.#start());
    const close = async () => {
      this.#listeners.delete(listener);
      if (this.#listeners.size > 0) return;
      const running = this.#running;
      this.#running = undefined;
      this.#counters = undefined;
      await running?.child.stop();
    };
    try {
      const counters = await Promise.race([
        failed,
        until(() => this.#counters, firstWordMs, "BBRv3's telemetry", { code: 'service-failed', everyMs: 10 }),
      ]);
      listener.counters(counters);
      return { failed, close };
    } catch (error) {
      await close();
      throw error;
    }
  }

  #start(): { child: Child; failed: Promise<never> } {
    const child = this.#watch({
      sample: sample => {
        for (const one of this.#listeners) one.sample(sample);
      },
      event: event => {
        for (const one of this.#listeners) one.event(event);
      },
      counters: counters => {
        this.#counters = counters;
        for (const one of this.#listeners) one.counters(counters);
      },
    });
    const failed = child.ended.then((): Promise<never> => {
      if (child.stopping) return new Promise<never>(() => {});
      this.#running = undefined;
      this.#counters = undefined;
      throw new CoexistError('service-failed', `the reading of BBRv3's telemetry ended: ${child.lastWords}`);
    });
    failed.catch(() => {});
    return { child, failed };
  }
}

export const bbr3Teller = new Bbr3Teller(on => watchBbr3(localHost, bbr3Loader, intervalMs, on));
