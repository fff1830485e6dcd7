/** A link that the kernel forms: a shaper (HTB, TBF or netem) and its queue, loss by BPF, delay by netem or by the delay line. */
import { kernelParts } from '../../core/backends.ts';
import type { KernelBackendId } from '../../core/backends.ts';
import type { Link } from '../../core/link.ts';
import type { AqmPlugin } from '../aqm/aqm.ts';
import { aqmLimit } from '../aqm/limit.ts';
import { lineConfiguration } from '../line/configuration.ts';
import { checkPassed, Hairpin } from '../line/hairpin.ts';
import { QueueLogRecorder } from '../queue-log/recorder.ts';
import { Bottleneck } from '../tc/bottleneck.ts';
import { LossClassifier } from '../tc/loss-classifier.ts';
import { NetemDelay } from '../tc/netem.ts';
import { rateChanges, RateSchedule } from '../tc/schedule.ts';
import { shapers } from '../tc/shapers.ts';
import type { Leaf } from '../tc/shapers.ts';
import { bottleneckDevice } from '../topology/legs.ts';
import type { Topology } from '../topology/dumbbell.ts';
import type { LinkBackend, LinkCounters, QueueLogEnd } from './backend.ts';

type Parts = {
  bottleneck: Bottleneck;
  loss: LossClassifier;
  netem: NetemDelay;
  hairpin: Hairpin | undefined;
  schedule: RateSchedule | undefined;
  log: QueueLogRecorder | undefined;
};

export class KernelLink implements LinkBackend {
  readonly id: KernelBackendId;
  readonly failed: Promise<never>;
  readonly #topology: Topology;
  readonly #seed: number;
  readonly #parts: Parts;

  private constructor(id: KernelBackendId, topology: Topology, seed: number, parts: Parts) {
    this.id = id;
    this.#topology = topology;
    this.#seed = seed;
    this.#parts = parts;
    this.failed = Promise.race([parts.hairpin?.program.failed, parts.schedule?.failed, parts.log?.failed].filter(part => part !== undefined));
    this.failed.catch(() => {});
  }

  /** `log`: file for the log of every packet at the queue. */
  static async form(id: KernelBackendId, topology: Topology, link: Link, leaf: Leaf, seed: number, { log }: { log?: string | undefined } = {}): Promise<KernelLink> {
    const { shaper, hasLine } = kernelParts(id);
    const { router } = topology;
    const parts: Parts = {
      bottleneck: new Bottleneck(router), loss: new LossClassifier(topology), netem: new NetemDelay(topology), hairpin: undefined, schedule: undefined, log: undefined,
    };
    await clearKernelLink(topology);
    await parts.bottleneck.set(link, leaf, shaper);
    await parts.loss.set(link.loss, seed);
    try {
      if (hasLine) parts.hairpin = await Hairpin.start(topology);
      if (link.schedule.length > 0) parts.schedule = new RateSchedule(router, rateChanges(link.rateBps, link.schedule), rateBps => shapers[shaper].changeRate(rateBps, leaf)!);
      if (log !== undefined) parts.log = await QueueLogRecorder.start(router, bottleneckDevice, log);
      return new KernelLink(id, topology, seed, parts);
    } catch (error) {
      await Promise.all([parts.hairpin?.stop(), parts.schedule?.stop()]);
      throw error;
    }
  }

  async setWays(ways: Link['ways']): Promise<void> {
    if (this.#parts.hairpin === undefined) await this.#parts.netem.set(ways);
    else await this.#parts.hairpin.set(lineConfiguration(ways, this.#topology.left, this.#seed));
  }

  async start(): Promise<void> {
    this.#parts.schedule?.start();
  }

  async change(link: Link, aqm: AqmPlugin): Promise<void> {
    const { bottleneck, loss } = this.#parts;
    await bottleneck.change(link, aqm.tc(link.aqm.params as never, aqmLimit(link))!);
    await loss.change(link.loss, this.#seed);
  }

  async verify(): Promise<void> {
    await Promise.all([this.#parts.bottleneck.verify(), this.#parts.loss.verify()]);
  }

  async counters(): Promise<LinkCounters> {
    const [queue, loss, line] = await Promise.all([this.#parts.bottleneck.counters(), this.#parts.loss.read(), this.#parts.hairpin?.program.read()]);
    if (line !== undefined) checkPassed(line);
    return { ...queue, up: null, loss };
  }

  async endLog(): Promise<QueueLogEnd | null> {
    const { log } = this.#parts;
    this.#parts.log = undefined;
    return await log?.stop() ?? null;
  }

  async clear(): Promise<void> {
    await this.endLog();
    await this.#parts.schedule?.stop();
    await this.#parts.hairpin?.stop();
    await clearKernelLink(this.#topology);
  }
}

/** Takes every part of a link off the devices before and behind it, whoever put it there. */
export async function clearKernelLink(topology: Topology): Promise<void> {
  await new Bottleneck(topology.router).clear();
  await new LossClassifier(topology).clear();
  await new NetemDelay(topology).clear();
}
