/**
 * The bottlenecks of a link in a row. Each is formed on a router of its own, by whichever backend can, and has random
 * numbers and a queue log of its own.
 */
import { CoexistError } from '../../core/errors.ts';
import { deriveSeed } from '../../core/random.ts';
import { hopsOf } from '../../core/vocabulary/hops.ts';
import { type BackendId, type Link, withoutChance } from '../../core/vocabulary/link.ts';
import type { LinkTraces } from '../../core/vocabulary/trace-facts.ts';
import type { Aqm } from '../aqm/bound-aqm.ts';
import type { QueueLogEnd } from '../queue-log/recorder.ts';
import type { TestNetwork } from '../topology/topology.ts';
import type { LinkChange, LinkCounters } from './backend.ts';
import type { Capabilities } from './capabilities.ts';
import { isNormalised } from './settle-paths.ts';
import { ShapedLink } from './shaped-link.ts';

/** Backend of a further bottleneck, and the traces that it follows; null if it follows none. */
type FormedHop = { backend: BackendId; traces: LinkTraces | null };

/** Seed of the random numbers at a bottleneck, by its place in the row, from 1. */
export const seedAt = (seed: number, hop: number) => (hop === 1 ? seed : deriveSeed(seed, 'bottleneck', hop));

/** File of the queue log or of the capture of a bottleneck, by its place in the row, from 1. `log`: that of the first. */
export const logAt = (log: string, hop: number) => (hop === 1 ? log : log.replace(/(\.[^./]*)?$/, `-${hop}$1`));

export class LinkChain {
  /** One link for each router of the network, in their order from the left. */
  readonly hops: readonly ShapedLink[];
  /** Number of bottlenecks of the present link. */
  #used = 0;
  #further: FormedHop[] = [];
  /** Links whose base round-trip time was measured over all of their bottlenecks. */
  readonly #settled = new Set<string>();

  constructor({ hops }: Pick<TestNetwork, 'hops'>, aqms: ReadonlyMap<string, Aqm>, can: Capabilities) {
    this.hops = hops.map(topology => new ShapedLink(topology, aqms, can));
  }

  /**
   * Forms all bottlenecks of a link anew. `log`: file for the queue log of the first one; those of the others are next to
   * it (`logAt`). Returns the backend of the first.
   */
  async set(link: Link, seed: number, { log }: { log?: string } = {}): Promise<BackendId> {
    await this.settle(link);
    const ids = await this.#form(this.#linksOf(link), seed, log);
    this.#further = ids.slice(1).map((backend, k) => ({ backend, traces: this.hops[k + 1]!.traces }));
    return ids[0]!;
  }

  /** Forms the bottlenecks, the last one first: the first one's parts on its neighbour's devices must outlast others. */
  async #form(links: readonly Link[], seed: number, log?: string): Promise<BackendId[]> {
    if (this.hops.length > 1) await this.clear();
    const ids: BackendId[] = [];
    for (let hop = links.length; hop >= 1; hop--) {
      const options = log === undefined ? {} : { log: logAt(log, hop) };
      ids.unshift(await this.hops[hop - 1]!.set(links[hop - 1]!, seedAt(seed, hop), options));
    }
    this.#used = links.length;
    return ids;
  }

  #linksOf(link: Link): Link[] {
    const links = hopsOf(link);
    if (links.length > this.hops.length)
      throw new CoexistError(
        'bad-definition',
        `the link has ${links.length} bottlenecks in a row, which cannot be made here`,
        {
          hint: 'leave out link.then: it is for experiments in the namespaces of one machine',
        },
      );
    return links;
  }

  /**
   * Measures the delays of a link with a normalised round-trip time, once, with all of its bottlenecks in place. The
   * first one measures; the others have constant rates meanwhile and lose nothing.
   */
  async settle(link: Link): Promise<void> {
    if (link.further === undefined || !isNormalised(link)) return;
    const key = JSON.stringify(link);
    if (this.#settled.has(key)) return;
    const [first, ...further] = this.#linksOf(link);
    await this.#form([first!, ...further.map(withoutChance)], 0);
    this.#settled.add(key);
  }

  /** Backends and traces of the further bottlenecks of the present link, in their order. */
  get further(): readonly FormedHop[] {
    return this.#further;
  }

  /** Changes the first bottleneck of the present link, see `ShapedLink.change`. */
  change(change: LinkChange): Promise<Link> {
    return this.hops[0]!.change(change);
  }

  /** Rejects when a part of the present link fails. */
  get failed(): Promise<never> {
    const failed = Promise.race(this.#present.map(hop => hop.failed));
    failed.catch(() => {});
    return failed;
  }

  /** Traces that the first bottleneck follows; null if none. */
  get traces(): LinkTraces | null {
    return this.hops[0]!.traces;
  }

  /** Starts the schedules and traces of all bottlenecks. Returns the start of the first one, see `LinkBackend.start`. */
  async start(): Promise<number | null> {
    const [first = null] = await Promise.all(this.#present.map(hop => hop.start()));
    return first;
  }

  async verify(): Promise<void> {
    await Promise.all(this.#present.map(hop => hop.verify()));
  }

  /** Counters of the first bottleneck, and of the others in their order. */
  async counters(): Promise<LinkCounters & { further: LinkCounters[] }> {
    const [first, ...further] = await Promise.all(this.#present.map(hop => hop.counters()));
    return { ...first!, further };
  }

  /** Ends the queue log of each bottleneck, the last one last. Null for one without a log. */
  async endLogs(): Promise<(QueueLogEnd | null)[]> {
    const ends: (QueueLogEnd | null)[] = [];
    for (const hop of this.#present) ends.push(await hop.endLog());
    return ends;
  }

  /** Removes the bottlenecks of any run from all routers. */
  async clear(): Promise<void> {
    this.#used = 0;
    this.#further = [];
    for (const hop of this.hops) await hop.clear();
  }

  get #present(): readonly ShapedLink[] {
    return this.hops.slice(0, Math.max(1, this.#used));
  }
}
