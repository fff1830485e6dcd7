/** The bottleneck of one direction in the kernel: a shaper with its queue, random loss, schedule and log. */

import type { Host } from '../../core/system/host.ts';
import type { KernelShaper } from '../../core/vocabulary/backends.ts';
import type { Link } from '../../core/vocabulary/link.ts';
import { type QueueLogEnd, QueueLogRecorder } from '../queue-log/recorder.ts';
import { Bottleneck, type QueueCounters } from '../tc/bottleneck.ts';
import type { FlowCounters } from '../tc/loss.ts';
import { LossClassifier, type LossPlaces } from '../tc/loss-classifier.ts';
import { RateSchedule, rateChanges } from '../tc/schedule.ts';
import { type Leaf, shapers } from '../tc/shapers.ts';

type KernelBottleneckOptions = {
  router: Host;
  /** The router's device that has the queue. */
  device: string;
  places: LossPlaces;
  /** Link with the properties of the direction that this bottleneck limits. */
  link: Link;
  leaf: Leaf;
  shaper: KernelShaper;
  seed: number;
  /** File for the log of every packet at the queue; if missing, no log is written. */
  log?: string | undefined;
};

export class KernelBottleneck {
  readonly #options: KernelBottleneckOptions;
  readonly #queue: Bottleneck;
  readonly #loss: LossClassifier;
  #schedule: RateSchedule | undefined;
  #log: QueueLogRecorder | undefined;

  private constructor(options: KernelBottleneckOptions) {
    this.#options = options;
    this.#queue = new Bottleneck(options.router, options.device);
    this.#loss = new LossClassifier(options.places);
  }

  /**
   * Forms the bottleneck. `device` must have no queue, and the places of the loss no classifiers. If a step fails,
   * programs that were started are ended, but settings stay.
   */
  static async form(options: KernelBottleneckOptions): Promise<KernelBottleneck> {
    const { router, device, link, leaf, shaper, seed, log } = options;
    const formed = new KernelBottleneck(options);
    await formed.#queue.set(link, leaf, shaper);
    await formed.#loss.set(link.loss, seed);
    try {
      if (link.schedule.length > 0)
        formed.#schedule = new RateSchedule(
          router,
          rateChanges(link.rateBps, link.schedule),
          rateBps => shapers[shaper].changeRate(device, rateBps, leaf)!,
        );
      if (log !== undefined) formed.#log = await QueueLogRecorder.start(router, device, log);
      return formed;
    } catch (error) {
      await formed.end();
      throw error;
    }
  }

  /** Promises, each of which rejects when one part of the bottleneck fails. */
  get failed(): Promise<never>[] {
    return [this.#schedule?.failed, this.#log?.failed].filter(part => part !== undefined);
  }

  start(): void {
    this.#schedule?.start();
  }

  async change(link: Link, leaf: Leaf): Promise<void> {
    await this.#queue.change(link, leaf);
    await this.#loss.change(link.loss, this.#options.seed);
  }

  async verify(): Promise<void> {
    await Promise.all([this.#queue.verify(), this.#loss.verify()]);
  }

  async read(): Promise<{ queue: QueueCounters; loss: FlowCounters[] }> {
    const [queue, loss] = await Promise.all([this.#queue.counters(), this.#loss.read()]);
    return { queue, loss };
  }

  /** Ends the queue log. Returns null without a log. */
  async endLog(): Promise<QueueLogEnd | null> {
    const log = this.#log;
    this.#log = undefined;
    return (await log?.stop()) ?? null;
  }

  /** Ends the schedule and the log. */
  async end(): Promise<void> {
    await this.endLog();
    await this.#schedule?.stop();
  }

  clearLoss(): Promise<void> {
    return this.#loss.clear();
  }
}
