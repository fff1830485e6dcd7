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
  /** The router's device whose queue it is. */
  device: string;
  places: LossPlaces;
  /** As this direction has it. */
  link: Link;
  leaf: Leaf;
  shaper: KernelShaper;
  seed: number;
  /** File for the log of every packet at the queue. */
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
   * On a device without a queue, and places without classifiers. What was begun is ended again if a step fails; what
   * was set stays.
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

  /** Of what can give up. */
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

  /** Null where there is no log. */
  async endLog(): Promise<QueueLogEnd | null> {
    const log = this.#log;
    this.#log = undefined;
    return (await log?.stop()) ?? null;
  }

  /** Ends what runs for it. */
  async end(): Promise<void> {
    await this.endLog();
    await this.#schedule?.stop();
  }

  /** Takes its classifiers away. */
  clearLoss(): Promise<void> {
    return this.#loss.clear();
  }
}
