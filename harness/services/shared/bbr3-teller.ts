/**
 * Reads the BBRv3 telemetry of a kernel. This process has one reader per kernel, which all flows of all applications
 * share, so that thirty flows do not read the same data thirty times. The reader starts with the first listener and
 * ends after the last.
 */
import { until } from '../../../core/system/deadline.ts';
import type { Host } from '../../../core/system/host.ts';
import { machineOf } from '../../../core/system/local-host.ts';
import { bbr3Loader } from '../../../shaper/bbr3/loader.ts';
import {
  type Bbr3Counters,
  type Bbr3Event,
  type Bbr3Sample,
  type Bbr3Watch,
  watchBbr3,
} from '../../../shaper/bbr3/telemetry.ts';

/** Interval of samples, ms. The interval does not affect events, which are complete. */
const intervalMs = 100;
/** Longest wait for the first report of the counters, ms. */
const firstWordMs = 5000;

export type Listener = {
  sample(sample: Bbr3Sample): void;
  event(event: Bbr3Event): void;
  counters(counters: Bbr3Counters): void;
};
/** A listener's use of the reader. `failed` rejects if the reader ends before `close`. */
export type Subscription = { failed: Promise<never>; close(): Promise<void> };

type Watch = (on: Listener) => Bbr3Watch;

export class Bbr3Teller {
  readonly #watch: Watch;
  readonly #listeners = new Set<Listener>();
  #running: Bbr3Watch | undefined;
  #counters: Bbr3Counters | undefined;

  constructor(watch: Watch) {
    this.#watch = watch;
  }

  /**
   * Adds a listener, which gets all data from now on. Resolves once the counters have been reported to the listener.
   */
  async listen(listener: Listener): Promise<Subscription> {
    this.#listeners.add(listener);
    const { failed } = (this.#running ??= this.#start());
    const close = async () => {
      this.#listeners.delete(listener);
      if (this.#listeners.size > 0) return;
      const running = this.#running;
      this.#running = undefined;
      this.#counters = undefined;
      await running?.stop();
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

  #start(): Bbr3Watch {
    const watch = this.#watch({
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
    watch.failed.catch(() => {
      if (this.#running !== watch) return;
      this.#running = undefined;
      this.#counters = undefined;
      watch.stop().catch(() => {}); // it may still run, if its output was the failure
    });
    return watch;
  }
}

const tellers = new WeakMap<Host, Bbr3Teller>();

/** Returns the reader for the kernel of a host. */
export async function bbr3TellerOf(host: Host): Promise<Bbr3Teller> {
  const machine = machineOf(host);
  const loader = await machine.give(bbr3Loader);
  const teller = tellers.get(machine) ?? new Bbr3Teller(on => watchBbr3(machine, loader, intervalMs, on));
  tellers.set(machine, teller);
  return teller;
}
