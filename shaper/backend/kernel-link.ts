/** A link that the kernel forms: HTB and its queue, loss by BPF, delay by netem (`tc`) or by the delay line (`tc+line`). */
import { CoexistError } from '../../harness/base/errors.ts';
import type { Link } from '../../harness/base/link.ts';
import { lineConfiguration } from '../line/configuration.ts';
import { Hairpin } from '../line/hairpin.ts';
import { Bottleneck } from '../tc/bottleneck.ts';
import type { Leaf } from '../tc/bottleneck.ts';
import { LossClassifier } from '../tc/loss-classifier.ts';
import { NetemDelay } from '../tc/netem.ts';
import { RateSchedule } from '../tc/schedule.ts';
import type { Dumbbell } from '../topology/dumbbell.ts';
import type { LinkBackend, LinkCounters } from './backend.ts';

export class KernelLink implements LinkBackend {
  readonly id: 'tc' | 'tc+line';
  readonly failed: Promise<never>;
  readonly #dumbbell: Dumbbell;
  readonly #bottleneck: Bottleneck;
  readonly #loss: LossClassifier;
  readonly #netem: NetemDelay;
  readonly #hairpin: Hairpin | undefined;
  readonly #schedule: RateSchedule | undefined;
  readonly #seed: number;

  private constructor(dumbbell: Dumbbell, parts: { bottleneck: Bottleneck; loss: LossClassifier; netem: NetemDelay; hairpin: Hairpin | undefined; schedule: RateSchedule | undefined; seed: number }) {
    this.#dumbbell = dumbbell;
    this.#bottleneck = parts.bottleneck;
    this.#loss = parts.loss;
    this.#netem = parts.netem;
    this.#hairpin = parts.hairpin;
    this.#schedule = parts.schedule;
    this.#seed = parts.seed;
    this.id = parts.hairpin === undefined ? 'tc' : 'tc+line';
    this.failed = Promise.race([parts.hairpin?.program.failed, parts.schedule?.failed].filter(part => part !== undefined));
    this.failed.catch(() => {});
  }

  static async form(dumbbell: Dumbbell, link: Link, leaf: Leaf, seed: number, { line }: { line: boolean }): Promise<KernelLink> {
    const { router, client } = dumbbell.hosts;
    const bottleneck = new Bottleneck(router);
    const loss = new LossClassifier(router, client);
    const netem = new NetemDelay(router);
    await clearKernelLink(dumbbell);
    await bottleneck.set(link, leaf);
    await loss.set(link.loss, seed);
    const hairpin = line ? await Hairpin.start(router) : undefined;
    const schedule = link.schedule.length === 0 ? undefined : new RateSchedule(router, link.rateBps, link.schedule);
    return new KernelLink(dumbbell, { bottleneck, loss, netem, hairpin, schedule, seed });
  }

  async setWays(ways: Link['ways']): Promise<void> {
    if (this.#hairpin === undefined) await this.#netem.set(ways);
    else await this.#hairpin.program.set(lineConfiguration(ways, this.#dumbbell.addresses, this.#seed));
  }

  async start(): Promise<void> {
    this.#schedule?.start();
  }

  async verify(): Promise<void> {
    await Promise.all([this.#bottleneck.verify(), this.#loss.verify()]);
  }

  async counters(): Promise<LinkCounters> {
    const [queue, loss, line] = await Promise.all([this.#bottleneck.counters(), this.#loss.read(), this.#hairpin?.program.read()]);
    if (line !== undefined && line.writeErrors > 0) throw new CoexistError('link-refused', `the delay line could not pass on ${line.writeErrors} packets`);
    return { ...queue, loss };
  }

  async clear(): Promise<void> {
    await this.#schedule?.stop();
    await this.#hairpin?.stop();
    await clearKernelLink(this.#dumbbell);
  }
}

/** Takes every part of a link off the router's and the client's devices, whoever put it there. */
export async function clearKernelLink({ hosts: { router, client } }: Dumbbell): Promise<void> {
  await new Bottleneck(router).clear();
  await new LossClassifier(router, client).clear();
  await new NetemDelay(router).clear();
}
