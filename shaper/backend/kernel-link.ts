/**
 * A link that the kernel forms: in each direction a shaper (HTB, TBF or netem) and its queue, loss by BPF; delay by
 * netem or by the delay line.
 */
import { type KernelBackendId, kernelParts } from '../../core/vocabulary/backends.ts';
import { type Direction, inDirection, type Link } from '../../core/vocabulary/link.ts';
import type { BoundAqm } from '../aqm/bound-aqm.ts';
import { lineConfiguration } from '../emulator/configuration.ts';
import { checkPassed, LinkRedirect } from '../emulator/link-redirect.ts';
import { appendUpLog } from '../queue-log/append.ts';
import type { QueueLogEnd } from '../queue-log/recorder.ts';
import { Bottleneck } from '../tc/bottleneck.ts';
import { LossClassifier, lossPlaces } from '../tc/loss-classifier.ts';
import { NetemDelay } from '../tc/netem.ts';
import type { Leaf } from '../tc/shapers.ts';
import { makeUpDevice, removeUpDevice, upDevice, upExit } from '../tc/up-device.ts';
import type { Topology } from '../topology/topology.ts';
import type { LinkBackend, LinkCounters } from './backend.ts';
import { leafOf } from './choose.ts';
import { KernelBottleneck } from './kernel-bottleneck.ts';

/** Queue of each direction; `up` is null without a bottleneck from the clients. */
export type Leaves = { down: Leaf; up: Leaf | null };

type Parts = {
  down: KernelBottleneck | undefined;
  up: KernelBottleneck | undefined;
  redirect: LinkRedirect | undefined;
};

/** File for the log of the queue from the clients, until its records are appended to the file `log`. */
const upLogOf = (log: string | undefined) => (log === undefined ? undefined : `${log}.up`);

export class KernelLink implements LinkBackend {
  readonly id: KernelBackendId;
  readonly failed: Promise<never>;
  readonly readiness: LinkBackend['readiness'];
  readonly traces = null;
  readonly #topology: Topology;
  readonly #seed: number;
  readonly #log: string | undefined;
  readonly #down: KernelBottleneck;
  readonly #up: KernelBottleneck | undefined;
  readonly #redirect: LinkRedirect | undefined;
  readonly #netem: NetemDelay;

  private constructor(
    id: KernelBackendId,
    topology: Topology,
    { seed, log, down, up, redirect }: { seed: number; log: string | undefined; down: KernelBottleneck } & Parts,
  ) {
    this.id = id;
    this.#topology = topology;
    this.#seed = seed;
    this.#log = log;
    this.#down = down;
    this.#up = up;
    this.#redirect = redirect;
    this.readiness = redirect?.program.readiness ?? null;
    this.#netem = new NetemDelay(topology);
    this.failed = Promise.race([
      ...(redirect === undefined ? [] : [redirect.program.failed]),
      ...down.failed,
      ...(up?.failed ?? []),
    ]);
    this.failed.catch(() => {});
  }

  /**
   * Forms a link. No other link may be set up on the same devices. `log`: file for the log of every packet at the
   * queues.
   */
  static async form(
    id: KernelBackendId,
    topology: Topology,
    link: Link,
    leaves: Leaves,
    seed: number,
    { log }: { log?: string | undefined } = {},
  ): Promise<KernelLink> {
    const { shaper, hasLine } = kernelParts(id);
    const { router, bottleneckDevice } = topology;
    const places = lossPlaces(topology);
    const form = (direction: Direction, device: string, leaf: Leaf, file: string | undefined) =>
      KernelBottleneck.form({
        router,
        device,
        places: places[direction],
        link: inDirection(link, direction),
        leaf,
        shaper,
        seed,
        log: file,
      });
    const parts: Parts = { down: undefined, up: undefined, redirect: undefined };
    try {
      if (leaves.up !== null) await makeUpDevice(topology);
      const down = (parts.down = await form('down', bottleneckDevice, leaves.down, log));
      if (leaves.up !== null) parts.up = await form('up', upDevice, leaves.up, upLogOf(log));
      if (hasLine) parts.redirect = await LinkRedirect.start(topology, leaves.up === null ? {} : { upEntry: upExit });
      return new KernelLink(id, topology, { seed, log, ...parts, down });
    } catch (error) {
      await Promise.all([parts.down?.end(), parts.up?.end(), parts.redirect?.stop()]);
      // its device may never have been created
      if (leaves.up !== null) await new LossClassifier(places.up).clear().catch(() => {});
      throw error;
    }
  }

  async setPaths(paths: Link['paths']): Promise<void> {
    if (this.#redirect === undefined) await this.#netem.set(paths);
    else await this.#redirect.set(lineConfiguration(paths, this.#topology.left, this.#seed));
  }

  async start(): Promise<null> {
    this.#down.start();
    this.#up?.start();
    return null;
  }

  async change(link: Link, aqm: BoundAqm): Promise<void> {
    await this.#down.change(link, leafOf(link, aqm)!);
  }

  async verify(): Promise<void> {
    await Promise.all([this.#down.verify(), this.#up?.verify()]);
  }

  async counters(): Promise<LinkCounters> {
    const [down, up, line] = await Promise.all([this.#down.read(), this.#up?.read(), this.#redirect?.program.read()]);
    if (line !== undefined) checkPassed(line);
    return { ...down.queue, up: up?.queue ?? null, loss: [...down.loss, ...(up?.loss ?? [])] };
  }

  async endLog(): Promise<QueueLogEnd | null> {
    const [down, up] = await Promise.all([this.#down.endLog(), this.#up?.endLog()]);
    if (down === null || up == null) return down;
    await appendUpLog(this.#log!, upLogOf(this.#log)!);
    return {
      records: down.records + up.records,
      lost: down.lost + up.lost,
      unreported: (down.unreported ?? 0) + (up.unreported ?? 0),
    };
  }

  async clear(): Promise<void> {
    await this.endLog();
    await Promise.all([this.#down.end(), this.#up?.end(), this.#redirect?.stop()]);
    await this.#up?.clearLoss();
    await clearKernelLink(this.#topology);
  }
}

/**
 * Removes every part of a link, of any run, from the router's devices and from the device behind the bottleneck towards
 * the clients.
 */
export async function clearKernelLink(topology: Topology): Promise<void> {
  await Promise.all([
    new Bottleneck(topology.router, topology.bottleneckDevice).clear(),
    new LossClassifier(lossPlaces(topology).down).clear(),
    new NetemDelay(topology).clear(),
    removeUpDevice(topology),
  ]);
}
