/**
 * The only reader of a kernel's BBRv3 telemetry in this process, shared by all flows of all applications, so that
 * thirty flows do not read the same data thirty times. It starts with the first user and ends after the last.
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

type Watch = (on: Listener) => Bbr3Watch;

export class Bbr3Teller {
  readonly #watch: Watch;
  readonly #listeners = new Set<Listener>();
  #running: Bbr3Watch | undefined;
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
      watch.stop().catch(() => {}); // it may run on, and have failed by what it told
    });
    return watch;
  }
}

const tellers = new WeakMap<Host, Bbr3Teller>();

/** The reader for the kernel of a host. */
export async function bbr3TellerOf(host: Host): Promise<Bbr3Teller> {
  const machine = machineOf(host);
  const loader = await machine.give(bbr3Loader);
  const teller = tellers.get(machine) ?? new Bbr3Teller(on => watchBbr3(machine, loader, intervalMs, on));
  tellers.set(machine, teller);
  return teller;
}
